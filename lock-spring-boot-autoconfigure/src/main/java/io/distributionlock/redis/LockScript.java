package io.distributionlock.redis;

import io.distributionlock.engine.AcquireReply;
import io.distributionlock.engine.ReleaseReply;
import io.distributionlock.engine.RenewReply;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;

/**
 * A Lua script of this package, read once. Every script answers with an array of up to three integers.
 *
 * @param <T> what the integers mean
 */
final class LockScript<T> {

    static final LockScript<AcquireReply> ACQUIRE = new LockScript<>("acquire", LockScript::acquireReply);
    static final LockScript<ReleaseReply> RELEASE =
            new LockScript<>("release", numbers -> numbers[0] == 1 ? ReleaseReply.RELEASED : ReleaseReply.NOT_MINE);
    static final LockScript<RenewReply> RENEW =
            new LockScript<>("renew", numbers -> new RenewReply(numbers[0] == 1, numbers[1]));
    static final LockScript<Boolean> LOCKED = new LockScript<>("locked", numbers -> numbers[0] == 1);

    /** Enough for every reply; what a script leaves out is 0. */
    static final int MOST_NUMBERS = 3;

    /** A key without an expiry, which only a hand in Redis can make, lasts until somebody removes it. */
    private static final long NO_EXPIRY_MILLIS = Duration.ofDays(1).toMillis();

    private static final String INCLUDE = "-- include ";

    private final byte[] text;
    private final String sha1;
    private final byte[] sha1Bytes;
    private final Reply<T> reply;

    private LockScript(String verb, Reply<T> reply) {
        String source = withIncludes(resource(verb + ".lua"));
        this.text = source.getBytes(StandardCharsets.UTF_8);
        this.sha1 = sha1Of(text);
        this.sha1Bytes = sha1.getBytes(StandardCharsets.US_ASCII);
        this.reply = reply;
    }

    /** The source as Redis gets it. Not to be changed. */
    byte[] text() {
        return text;
    }

    /** By what Redis knows a script that it has seen. */
    String sha1() {
        return sha1;
    }

    /** The same in ASCII. Not to be changed. */
    byte[] sha1Bytes() {
        return sha1Bytes;
    }

    /** The meaning of an answer of {@link #MOST_NUMBERS} integers. */
    T reply(long[] numbers) {
        return reply.of(numbers);
    }

    private static AcquireReply acquireReply(long[] numbers) {
        return switch ((int) numbers[0]) {
            case 1 -> new AcquireReply.Ok(numbers[1], numbers[2]);
            case 0 -> new AcquireReply.Busy(numbers[1] < 0 ? NO_EXPIRY_MILLIS : numbers[1], numbers[2]);
            default -> new AcquireReply.Gone();
        };
    }

    private static String withIncludes(String source) {
        StringBuilder whole = new StringBuilder();
        source.lines().forEach(line -> {
            String text = line.startsWith(INCLUDE) ? resource(line.substring(INCLUDE.length())) : line;
            whole.append(text).append('\n');
        });
        return whole.toString();
    }

    private static String resource(String file) {
        try (InputStream stream = LockScript.class.getResourceAsStream(file)) {
            if (stream == null) {
                throw new IllegalStateException(
                        "The script " + file
                                + " of package io.distributionlock.redis is not on the class path. Was it left out when the jar was repacked?");
            }
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("The script " + file + " cannot be read", e);
        }
    }

    private static String sha1Of(byte[] text) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-1").digest(text));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-1", e);
        }
    }

    /** Gives the integers of an answer their meaning. */
    @FunctionalInterface
    private interface Reply<T> {
        T of(long[] numbers);
    }
}
