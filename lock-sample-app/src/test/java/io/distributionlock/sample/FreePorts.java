package io.distributionlock.sample;

import java.io.IOException;
import java.net.ServerSocket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports for servers that a test will start, each returned once. They are below the range from which the system assigns
 * ports, so that no other program takes one before the server has started or while a test keeps it stopped.
 */
public final class FreePorts {

    private static final int FIRST = 21_000;
    private static final int BEHIND_LAST = 32_000;
    private static final int MOST_ATTEMPTS = 10_000;

    /** The build runs several virtual machines at once, numbered from 1: each has every tenth port for itself. */
    private static final int SHARES = 10;

    private static final int SHARE = Integer.getInteger("test.jvm", 1) % SHARES;

    private static final Set<Integer> GIVEN = ConcurrentHashMap.newKeySet();

    private FreePorts() {}

    public static int next() {
        return ThreadLocalRandom.current()
                .ints(MOST_ATTEMPTS, FIRST, BEHIND_LAST)
                .filter(port -> port % SHARES == SHARE)
                .filter(GIVEN::add)
                .filter(FreePorts::isFree)
                .findFirst()
                .orElseThrow();
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port)) {
            return socket.isBound();
        } catch (IOException taken) {
            return false;
        }
    }
}
