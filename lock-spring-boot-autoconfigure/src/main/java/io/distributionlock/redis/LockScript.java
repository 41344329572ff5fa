package io.distributionlock.redis;

import io.distributionlock.backend.AcquireReply;
import io.distributionlock.backend.ReleaseReply;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.Stream;
import org.springframework.core.io.ClassPathResource;
import org.springframework.data.redis.core.script.DigestUtils;

/**
 * A Lua script of this package, or a verb of lock.lua. It answers with a text.
 *
 * @param <T> the type of the parsed answer
 */
final class LockScript<T> {

    private static final Source LOCK = Source.of("lock.lua");

    static final LockScript<AcquireReply> ACQUIRE = verb("acquire", LockScript::acquireReply);
    static final LockScript<List<AcquireReply>> BEAT = verb(
            "beat", answers -> answers.lines().map(LockScript::acquireReply).toList());
    static final LockScript<ReleaseReply> RELEASE = verb("release", LockScript::releaseReply);

    /** Says only whether the claim held the lock and nobody was known to wait. */
    static final LockScript<Boolean> RELEASE_PLAIN = file("release-plain.lua", "1"::equals);

    static final LockScript<ReleaseReply> DOWNGRADE = verb("downgrade", LockScript::releaseReply);
    static final LockScript<Boolean> ADMIT = verb("admit", "done"::equals);

    /** Answers with the fencing number; empty if the claim does not hold the lock. */
    static final LockScript<OptionalLong> NUMBER = verb("number", LockScript::numberReply);

    static final LockScript<List<RedisRenewals.Word>> RENEW = file("renew.lua", LockScript::renewReply);
    static final LockScript<List<RedisRenewals.Word>> RENEW_READER = verb("renew-reader", LockScript::renewReply);
    static final LockScript<Boolean> LOCKED = verb("locked", "1"::equals);

    static final LockScript<RaiseFenceReply> RAISE_FENCE = verb("raise-fence", LockScript::raiseReply);

    static final LockScript<Long> FORCE_RELEASE = verb("force-release", Long::valueOf);

    /** Answers with the number of claims that were asked. */
    static final LockScript<Long> INQUIRE = verb("inquire", Long::valueOf);

    static final LockScript<InspectReply> INSPECT = verb("inspect", InspectReply::parse);

    /** For a key without a TTL, which was edited by hand and stays until it is removed. */
    private static final long NO_EXPIRY_MILLIS = Duration.ofDays(1).toMillis();

    /** The limit of one run, as lock.lua has it: a script must not keep Redis from its other work for long. */
    static final int CLAIMS_OF_A_RUN = 100;

    /** Begins the answer that a claim of the other sort holds the name. */
    private static final String MIXED = "mixed ";

    private final Source source;
    private final byte[] verb;
    private final Function<String, T> meaning;

    private LockScript(Source source, String verb, Function<String, T> meaning) {
        this.source = source;
        this.verb = verb.getBytes(StandardCharsets.US_ASCII);
        this.meaning = meaning;
    }

    private static <T> LockScript<T> verb(String verb, Function<String, T> meaning) {
        return new LockScript<>(LOCK, verb, meaning);
    }

    private static <T> LockScript<T> file(String file, Function<String, T> meaning) {
        return new LockScript<>(Source.of(file), "", meaning);
    }

    /** The source that is sent to Redis. Must not be modified. */
    byte[] text() {
        return source.text;
    }

    /** The digest by which Redis knows the script, in ASCII. Must not be modified. */
    byte[] sha1() {
        return source.sha1;
    }

    /** The first argument of a verb of lock.lua, in ASCII. Must not be modified. */
    byte[] verb() {
        return verb;
    }

    /** Parses an answer that leaves nothing to do. */
    T meaningOf(String answer) {
        return meaning.apply(answer);
    }

    private static AcquireReply acquireReply(String answer) {
        if (answer.equals("gone")) {
            return new AcquireReply.Gone();
        }
        if (answer.startsWith(MIXED)) {
            return new AcquireReply.Mixed(answer.substring(MIXED.length()));
        }
        int first = answer.indexOf(' ') + 1;
        int second = answer.indexOf(' ', first) + 1;
        if (second > 0) {
            long one = Long.parseLong(answer, first, second - 1, 10);
            long other = Long.parseLong(answer, second, answer.length(), 10);
            if (answer.startsWith("ok ")) {
                return new AcquireReply.Ok(one, other);
            }
            if (answer.startsWith("still ")) {
                return new AcquireReply.Ok(one, other, true);
            }
            if (answer.startsWith("busy ")) {
                return new AcquireReply.Busy(one < 0 ? NO_EXPIRY_MILLIS : one, other);
            }
        }
        throw unexpected(answer);
    }

    private static List<RedisRenewals.Word> renewReply(String answer) {
        return Stream.of(answer.split(" "))
                .map(word -> RedisRenewals.Word.valueOf(word.toUpperCase(Locale.ROOT)))
                .toList();
    }

    private static ReleaseReply releaseReply(String answer) {
        return answer.equals("1") ? ReleaseReply.RELEASED : ReleaseReply.NOT_MINE;
    }

    private static OptionalLong numberReply(String answer) {
        return answer.equals("gone") ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(answer));
    }

    private static RaiseFenceReply raiseReply(String answer) {
        return switch (answer) {
            case "1" -> RaiseFenceReply.RAISED;
            case "0" -> RaiseFenceReply.NOT_MINE;
            default -> RaiseFenceReply.TOO_YOUNG;
        };
    }

    static IllegalStateException unexpected(Object answer) {
        return new IllegalStateException("A lock script answered '" + answer + "', which it never does. "
                + "Check whether a proxy between the application and Redis changes commands.");
    }

    /** Reads a script. */
    static String textOf(String file) {
        try {
            return new ClassPathResource(file, LockScript.class).getContentAsString(StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "The script " + file
                            + " of package io.distributionlock.redis cannot be read. Check whether repacking the jar left it out.",
                    e);
        }
    }

    /** A file, read once. */
    private record Source(byte[] text, byte[] sha1) {

        static Source of(String file) {
            String text = textOf(file);
            return new Source(
                    text.getBytes(StandardCharsets.UTF_8),
                    DigestUtils.sha1DigestAsHex(text).getBytes(StandardCharsets.US_ASCII));
        }
    }
}
