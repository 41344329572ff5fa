package io.distributionlock.engine;

import java.security.SecureRandom;
import java.util.Locale;

/** Names a process among all that share locks. */
public final class InstanceName {

    private static final SecureRandom RANDOM = new SecureRandom();

    private InstanceName() {}

    /**
     * A new name, {@code <host>-<pid>-<random>}: a person can read in Redis who owns a lock, and a restarted process, or a
     * container that always has the same host name and process id, never has an old name again.
     */
    public static String create() {
        long random = RANDOM.nextLong() & 0xFFFF_FFFF_FFFFL;
        return hostName() + "-" + ProcessHandle.current().pid() + "-" + String.format(Locale.ROOT, "%012x", random);
    }

    /** From the environment, because asking the network for this host's name can block for seconds. */
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
