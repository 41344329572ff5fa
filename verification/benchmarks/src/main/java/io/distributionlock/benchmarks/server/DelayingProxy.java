package io.distributionlock.benchmarks.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;

/**
 * A network between client and server: whatever arrives on one side leaves on the other one so much later, in its order. Any number of
 * bytes may be under way, as in a network that is not full.
 */
final class DelayingProxy implements AutoCloseable {

    private record Chunk(byte[] bytes, long due) {}

    private static final Chunk END = new Chunk(new byte[0], 0);

    private final ServerSocket listening;
    private final int target;
    private volatile long delayNanos;

    DelayingProxy(int target) {
        this.target = target;
        try {
            this.listening = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        start("accept", this::accept);
    }

    int port() {
        return listening.getLocalPort();
    }

    /** From now on, each way. */
    void delay(long nanos) {
        delayNanos = nanos;
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                Socket client = listening.accept();
                Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
                client.setTcpNoDelay(true);
                server.setTcpNoDelay(true);
                carry(client, server);
                carry(server, client);
            } catch (IOException e) {
                // Closed, or one of the two is gone already.
            }
        }
    }

    /** Two threads, so that the delay of one chunk does not keep the next from being received. */
    private void carry(Socket from, Socket to) {
        BlockingQueue<Chunk> underWay = new LinkedBlockingQueue<>();
        start("read", () -> {
            read(from, underWay);
            underWay.add(END);
        });
        start("write", () -> {
            write(underWay, to);
            close(from);
            close(to);
        });
    }

    private void read(Socket from, BlockingQueue<Chunk> underWay) {
        byte[] buffer = new byte[64 * 1024];
        try {
            InputStream in = from.getInputStream();
            for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
                underWay.add(new Chunk(Arrays.copyOf(buffer, length), System.nanoTime() + delayNanos));
            }
        } catch (IOException e) {
            // Cut: what is under way still arrives.
        }
    }

    private static void write(BlockingQueue<Chunk> underWay, Socket to) {
        try {
            OutputStream out = to.getOutputStream();
            for (Chunk chunk = underWay.take(); chunk != END; chunk = underWay.take()) {
                // Not Thread.sleep, which before Java 21 rounds up to a millisecond.
                for (long left = left(chunk); left > 0; left = left(chunk)) {
                    LockSupport.parkNanos(left);
                }
                out.write(chunk.bytes());
            }
        } catch (IOException e) {
            // Cut.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static long left(Chunk chunk) {
        return chunk.due() - System.nanoTime();
    }

    private static void start(String role, Runnable task) {
        Thread thread = new Thread(task, "proxy-" + role);
        thread.setDaemon(true);
        thread.start();
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // It is closed all the same.
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
    }
}
