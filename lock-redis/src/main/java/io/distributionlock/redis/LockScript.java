package io.distributionlock.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.springframework.core.io.ClassPathResource;
import org.springframework.data.redis.core.script.DigestUtils;

/**
 * A Lua script of this package. It answers with a text.
 *
 * @param text the source that is sent to Redis; must not be modified
 * @param sha1 the digest by which Redis knows the script, in ASCII; must not be modified
 */
record LockScript(byte[] text, byte[] sha1) {

    static final LockScript LOCK = of("lock.lua");
    static final LockScript RELEASE_UNCONTENDED = of("release-uncontended.lua");
    static final LockScript RENEW = of("renew.lua");

    /** The limit of one run, as lock.lua has it: a script must not keep Redis from its other work for long. */
    static final int CLAIMS_OF_A_RUN = 100;

    private static LockScript of(String file) {
        String text = textOf(file);
        return new LockScript(
                text.getBytes(StandardCharsets.UTF_8),
                DigestUtils.sha1DigestAsHex(text).getBytes(StandardCharsets.US_ASCII));
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
}
