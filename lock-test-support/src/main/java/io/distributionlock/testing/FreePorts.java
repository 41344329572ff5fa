package io.distributionlock.testing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

/**
 * Ports that nobody uses. They lie below those that the system hands out by itself, so that nobody is given one of them while its
 * server is dead; and low enough for the bus of a Cluster, whose port is 10,000 above.
 *
 * <p>They come in blocks. A virtual machine owns a block by listening at its first port until it ends, so neither another of this
 * build nor another build takes its ports.
 */
public final class FreePorts {

    private static final int LOWEST = 10_500;
    private static final int BLOCK = 50;
    private static final int BLOCKS = 200;

    private static final List<ServerSocket> owned = new ArrayList<>();

    private static final Deque<Integer> left = new ArrayDeque<>();

    private FreePorts() {}

    /** One that this virtual machine was not given before. */
    public static synchronized int next() {
        while (true) {
            if (left.isEmpty()) {
                takeBlock();
            }
            int port = left.pop();
            if (isFree(port)) {
                return port;
            }
        }
    }

    private static void takeBlock() {
        int first = ThreadLocalRandom.current().nextInt(BLOCKS);
        for (int i = 0; i < BLOCKS; i++) {
            int guard = LOWEST + (first + i) % BLOCKS * BLOCK;
            try {
                owned.add(new ServerSocket(guard, 1, InetAddress.getLoopbackAddress()));
            } catch (IOException anotherOwnsIt) {
                continue;
            }
            IntStream.range(guard + 1, guard + BLOCK).forEach(left::add);
            return;
        }
        throw new IllegalStateException(
                "No block of ports is left from " + LOWEST + " to " + (LOWEST + BLOCKS * BLOCK - 1));
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException taken) {
            return false;
        }
    }
}
