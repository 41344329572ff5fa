package io.distributionlock.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import org.springframework.core.io.ClassPathResource;
import org.springframework.data.redis.core.script.DigestUtils;
import org.springframework.util.function.SingletonSupplier;

/**
 * A Lua script, from the file of its name: {@link #FORCE_RELEASE} is {@code force-release.lua}. It answers with a text.
 *
 * <p>A line {@code --@include part} stands for {@code include/part.lua}, which may include others. What a script includes more than once
 * stands there the first time. Lines that are only a comment are not sent.
 */
enum LockScript {
    ACQUIRE,
    ADMIT,
    COMMANDS,
    FORCE_RELEASE,
    HEARTBEAT,
    HOLDERS,
    INSPECT,
    LOCKED,
    NUMBER,
    PROBE_OWNER,
    RAISE_FENCE,
    RELEASE,
    RELEASE_UNCONTENDED,
    RENEW,
    RENEW_READER;

    /** The limit of one run, as the scripts have it: none must keep Redis from its other work for long. */
    static final int CLAIMS_OF_A_RUN = 100;

    private static final String INCLUDE = "--@include ";

    private final String label = name().toLowerCase(Locale.ROOT).replace('_', '-');

    /** Few applications need all scripts, and none needs them while it starts. */
    private final SingletonSupplier<Source> source = SingletonSupplier.of(() -> Source.of(label));

    private record Source(byte[] text, byte[] sha1) {

        static Source of(String label) {
            StringBuilder source = new StringBuilder();
            append(label, source, new HashSet<>());
            String text = source.toString();
            return new Source(
                    text.getBytes(StandardCharsets.UTF_8),
                    DigestUtils.sha1DigestAsHex(text).getBytes(StandardCharsets.US_ASCII));
        }

        private static void append(String file, StringBuilder source, Set<String> included) {
            for (String line : read(file + ".lua").split("\n")) {
                String code = line.strip();
                if (code.startsWith(INCLUDE)) {
                    String part = "include/" + code.substring(INCLUDE.length());
                    if (included.add(part)) {
                        append(part, source, included);
                    }
                } else if (!code.isEmpty() && !code.startsWith("--")) {
                    source.append(line).append('\n');
                }
            }
        }

        private static String read(String file) {
            try {
                return new ClassPathResource(file, LockScript.class).getContentAsString(StandardCharsets.UTF_8);
            } catch (IOException e) {
                throw new UncheckedIOException(
                        "The script " + file
                                + " of package io.distributionlock.redis cannot be read. Check whether repacking the jar left it out.",
                        e);
            }
        }
    }

    /** The name of the file, without its ending. */
    String label() {
        return label;
    }

    /** The source that is sent to Redis; must not be modified. */
    byte[] text() {
        return source.obtain().text();
    }

    /** The digest by which Redis knows the script, in ASCII; must not be modified. */
    byte[] sha1() {
        return source.obtain().sha1();
    }
}
