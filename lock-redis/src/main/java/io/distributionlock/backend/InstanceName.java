package io.distributionlock.backend;

import io.distributionlock.internal.Internal;
import java.security.SecureRandom;
import java.util.Locale;

/**
 * Creates unique names for processes that share locks.
 *
 * @hidden
 */
@Internal
public final class InstanceName {

    private static final SecureRandom RANDOM = new SecureRandom();

    private InstanceName() {}

    /**
     * Returns a new name, {@code <host>-<pid>-<random>}. It shows in Redis which process owns a lock, and is never reused, not even
     * by a container that always has the same host name and process id.
     */
    public static String create() {
        long random = RANDOM.nextLong() & 0xFFFF_FFFF_FFFFL;
        return hostName() + "-" + ProcessHandle.current().pid() + "-" + String.format(Locale.ROOT, "%012x", random);
    }

    /** Reads the environment, because a lookup of the host name can block for seconds. */
    private static String hostName() {
        for (String variable : new String[] {"HOSTNAME", "COMPUTERNAME"}) {
            String value = System.getenv(variable);
            if (value != null && !value.isBlank()) {
                return value.trim().replaceAll("[^A-Za-z0-9._-]", "_");
            }
        }
        return "host";
    }
}
