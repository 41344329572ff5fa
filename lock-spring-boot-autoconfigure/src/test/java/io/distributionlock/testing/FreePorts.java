package io.distributionlock.testing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports that nobody uses. They lie below those that the system hands out by itself, so that nobody is given one of them while its
 * server is dead; and low enough for the bus of a Cluster, whose port is 10,000 above.
 */
public final class FreePorts {

    private static final int LOWEST = 10_500;
    private static final int HIGHEST = 20_500;
    private static final int MOST_ATTEMPTS = 10_000;

    /** The build runs several virtual machines at once, numbered from 1: each has every tenth port for itself. */
    private static final int SHARES = 10;

    private static final int SHARE = Integer.getInteger("test.jvm", 1) % SHARES;

    private static final Set<Integer> given = ConcurrentHashMap.newKeySet();

    private FreePorts() {}

    /** One that this virtual machine was not given before. */
    public static int next() {
        return ThreadLocalRandom.current()
                .ints(MOST_ATTEMPTS, LOWEST, HIGHEST)
                .filter(port -> port % SHARES == SHARE)
                .filter(given::add)
                .filter(FreePorts::isFree)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("No port is free from " + LOWEST + " to " + HIGHEST));
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException taken) {
            return false;
        }
    }
}
