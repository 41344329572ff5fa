package io.distributionlock.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A network that can be made slow, stuck or broken: what connects to its port is passed on to another port of this machine.
 * Order is kept, and nothing is lost but by cutting a connection.
 */
public final class TcpProxy implements AutoCloseable {

    /** Which way bytes travel. */
    public enum Direction {
        TO_SERVER,
        TO_CLIENT
    }

    private static final byte[] END = {};

    private volatile int targetPort;
    private final ServerSocket listening;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Set<Direction> stuck = EnumSet.noneOf(Direction.class);
    private final Set<Socket> clients = ConcurrentHashMap.newKeySet();
    private final Set<Socket> stranded = ConcurrentHashMap.newKeySet();
    private final Set<Socket> swallowed = ConcurrentHashMap.newKeySet();
    private final Set<Socket> subscribed = ConcurrentHashMap.newKeySet();
    private final List<Chunk> heldBack = new ArrayList<>();
    private volatile long latencyNanos;
    private final AtomicInteger made = new AtomicInteger();
    private volatile @Nullable String lastWords;
    private volatile @Nullable String stuckAt;
    private volatile boolean refusing;
    private volatile boolean garbling;
    private volatile boolean closed;

    public TcpProxy(int targetPort) {
        this.targetPort = targetPort;
        try {
            this.listening = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        startThread("accept", this::accept);
    }

    /** Where to connect to. */
    public int port() {
        return listening.getLocalPort();
    }

    /** From now on, all that is received is passed on so much later, each way. */
    public void latency(Duration latency) {
        latencyNanos = latency.toNanos();
    }

    /** From now on nothing arrives, and everything looks connected; {@link #flow()} lets it arrive after all. */
    public void stick(Direction... directions) {
        lock.lock();
        try {
            stuck.addAll(Arrays.asList(directions));
        } finally {
            lock.unlock();
        }
    }

    /** From now on, what contains this text is stuck, and what follows over its connection; {@link #flow()} undoes that. */
    public void stickAt(String text) {
        stuckAt = text;
    }

    /** Whether something with this text has been received and is stuck. */
    public boolean holdsBack(String text) {
        lock.lock();
        try {
            return heldBack.stream().anyMatch(chunk -> chunk.contains(text));
        } finally {
            lock.unlock();
        }
    }

    /**
     * Cuts all present connections for the client alone. What it had sent by then is under way in the network yet, and arrives at
     * the next {@link #flow()}: after what is sent over newer connections, for which this undoes {@link #stick}.
     */
    public void strand() {
        lock.lock();
        try {
            stranded.addAll(sockets);
            stuck.clear();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        clients.forEach(TcpProxy::closeQuietly);
    }

    /**
     * From now on nothing that is sent over the present connections arrives, ever, and neither side is told. New ones work: so it
     * is behind a firewall that has forgotten its connections.
     */
    public void swallow() {
        swallowed.addAll(sockets);
    }

    /** The same for those present connections alone over which something was subscribed to. */
    public void swallowSubscriptions() {
        swallowed.addAll(subscribed);
    }

    /** How many connections there are, as the clients see it. */
    public int connections() {
        return clients.size();
    }

    /** From now on new connections lead to this port; the present ones stay. */
    public void leadTo(int port) {
        targetPort = port;
    }

    /** Undoes {@link #stick}, {@link #stickAt} and {@link #strand}. */
    public void flow() {
        lock.lock();
        try {
            stuck.clear();
            stranded.clear();
            stuckAt = null;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Cuts all present connections, with what is under way in them. New ones can be made. */
    public void cut() {
        sockets.forEach(TcpProxy::closeQuietly);
    }

    /** Whether what the server sends arrives as other bytes. */
    public void garble(boolean garble) {
        garbling = garble;
    }

    /** From now on, a connection ends with what contains this text, after it has arrived; {@code null} ends that. */
    public void cutAt(@Nullable String text) {
        lastWords = text;
    }

    /** How many connections have been made so far. */
    public int connectionsMade() {
        return made.get();
    }

    /** Whether new connections are cut at once. */
    public void refuse(boolean refuse) {
        refusing = refuse;
    }

    private void accept() {
        while (!closed) {
            try {
                Socket client = listening.accept();
                made.incrementAndGet();
                if (refusing) {
                    closeQuietly(client);
                } else {
                    connect(client);
                }
            } catch (IOException e) {
                // Closed, or the client has gone already.
            }
        }
    }

    private void connect(Socket client) {
        Socket server = new Socket();
        sockets.add(client);
        clients.add(client);
        sockets.add(server);
        try {
            server.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), targetPort), 10_000);
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
        } catch (IOException e) {
            end(client, server);
            return;
        }
        if (closed) {
            end(client, server);
            return;
        }
        carry(client, server, Direction.TO_SERVER);
        carry(server, client, Direction.TO_CLIENT);
    }

    private void noteSubscription(Chunk chunk, Socket from, Socket to) {
        if (chunk.contains("\r\nSUBSCRIBE\r\n")) {
            subscribed.add(from);
            subscribed.add(to);
        }
    }

    /** Two threads, so that latency does not take away from the throughput. */
    private void carry(Socket from, Socket to, Direction direction) {
        BlockingQueue<Chunk> underWay = new ArrayBlockingQueue<>(10_000);
        startThread("read", () -> {
            try {
                read(from, to, underWay);
            } catch (IOException e) {
                // Cut: what is under way still arrives, as far as the other side is open.
            }
            offer(underWay, new Chunk(END, System.nanoTime()));
        });
        startThread("write", () -> {
            try {
                write(underWay, to, direction);
            } catch (IOException e) {
                // Cut.
            } finally {
                end(from, to);
            }
        });
    }

    private void read(Socket from, Socket to, BlockingQueue<Chunk> underWay) throws IOException {
        InputStream in = from.getInputStream();
        byte[] buffer = new byte[64 * 1024];
        int length = in.read(buffer);
        while (length >= 0) {
            Chunk chunk = new Chunk(Arrays.copyOf(buffer, length), System.nanoTime() + latencyNanos);
            noteSubscription(chunk, from, to);
            offer(underWay, chunk);
            length = in.read(buffer);
        }
    }

    private void offer(BlockingQueue<Chunk> underWay, Chunk chunk) {
        try {
            while (!closed && !underWay.offer(chunk, 100, TimeUnit.MILLISECONDS)) {
                // Full: the writer is stuck.
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void write(BlockingQueue<Chunk> underWay, Socket to, Direction direction) throws IOException {
        OutputStream out = to.getOutputStream();
        try {
            while (!closed) {
                Chunk chunk = underWay.poll(100, TimeUnit.MILLISECONDS);
                if (chunk == null) {
                    continue;
                }
                if (chunk.bytes == END) {
                    return;
                }
                TimeUnit.NANOSECONDS.sleep(chunk.dueNanos - System.nanoTime());
                awaitFlow(chunk, direction, to);
                if (!swallowed.contains(to)) {
                    out.write(garbling && direction == Direction.TO_CLIENT ? garbled(chunk.bytes) : chunk.bytes);
                    out.flush();
                }
                String last = lastWords;
                if (last != null && chunk.contains(last)) {
                    return;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static byte[] garbled(byte[] bytes) {
        byte[] other = new byte[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            other[i] = (byte) ~bytes[i];
        }
        return other;
    }

    private void awaitFlow(Chunk chunk, Direction direction, Socket to) throws InterruptedException {
        lock.lock();
        heldBack.add(chunk);
        try {
            while (!closed && (stuck.contains(direction) || stranded.contains(to) || isStuckAt(chunk))) {
                changed.await();
            }
        } finally {
            heldBack.remove(chunk);
            lock.unlock();
        }
    }

    private boolean isStuckAt(Chunk chunk) {
        String text = stuckAt;
        return text != null && chunk.contains(text);
    }

    private void end(Socket one, Socket other) {
        closeQuietly(one);
        closeQuietly(other);
        for (Set<Socket> present : List.of(sockets, clients, stranded, swallowed, subscribed)) {
            present.remove(one);
            present.remove(other);
        }
    }

    private static void closeQuietly(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // It is closed all the same.
        }
    }

    private static void startThread(String role, Runnable task) {
        Thread thread = new Thread(task, "tcp-proxy-" + role);
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() {
        closed = true;
        try {
            listening.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        flow();
        cut();
    }

    private static final class Chunk {

        private final byte[] bytes;
        private final long dueNanos;

        Chunk(byte[] bytes, long dueNanos) {
            this.bytes = bytes;
            this.dueNanos = dueNanos;
        }

        boolean contains(String text) {
            return new String(bytes, StandardCharsets.ISO_8859_1).contains(text);
        }
    }
}
