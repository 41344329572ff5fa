package io.distributionlock.redis;

import io.distributionlock.internal.Await;
import io.distributionlock.internal.Burst;
import io.distributionlock.internal.DaemonThreads;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.netty.util.internal.ThreadExecutorMap;
import java.net.ConnectException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Sends scripts over a dedicated native connection of Lettuce.
 *
 * <p>Connecting blocks, so it has a thread of its own. While there is no connection, calls wait here in order rather than in Lettuce's
 * buffer, where a cancelled call would take up memory until Redis is back. If connecting fails, all waiting calls fail, and the next
 * call tries again.
 */
final class LettuceScriptSender
        implements ReplicatedScriptSender.Link, LettuceScriptCommand.Sender, DeadConnectionDetector.Connections {

    /** Far more than a process has in flight; bounds the memory of one that never cancels. */
    private static final int MOST_WAITING = 100_000;

    /** How long the end waits for the connection to be closed; more than Redis needs if it answers at all. */
    private static final long LONGEST_CLOSE_MILLIS = 200;

    /**
     * How many commands of different callers leave together. Each flush is a system call, here and in Redis; but while many are written,
     * Redis would be idle, and then answer many while the client is idle.
     */
    private static final int MOST_GATHERED = 4;

    /** Then the event loop reads answers before it sends more. */
    private static final int MOST_IN_A_TURN = 256;

    private final Consumer<List<LettuceScriptCommand<?>>> sending = this::send;
    private final Supplier<DedicatedConnection> opener;
    private final Runnable reconnected;
    private final String place;
    private final DeadConnectionDetector watch;
    private final ExecutorService connector = DaemonThreads.single("distribution-lock-connect");

    /**
     * What the event loop sends next: the calls of different threads leave together, and after a reconnect none overtakes the commands
     * that Lettuce still buffers. What is sent at the same time stays together.
     */
    private final Queue<List<? extends LettuceScriptCommand<?>>> outgoing = new ConcurrentLinkedQueue<>();

    private final AtomicBoolean outgoingScheduled = new AtomicBoolean();
    private final Runnable sendOutgoing = this::sendOutgoing;

    /** Of a connection to one server, once it is known. Otherwise set from a reconnect until the first answer. */
    private volatile @Nullable Executor eventLoop;

    /** The last connection that was replaced because it was dead. */
    private volatile @Nullable StatefulConnection<?, ?> replaced;

    private final ReentrantLock lock = new ReentrantLock();

    /** The connection, if calls may be sent to it directly. */
    private volatile @Nullable DedicatedConnection ready;

    // Guarded by the lock.
    private Queue<LettuceScriptCommand<?>> waiting = new ArrayDeque<>();
    private long waitingSince;
    private int purgeAt = 1_000;
    private @Nullable DedicatedConnection link;
    private boolean connecting;
    private boolean sendingWaiting;
    private boolean closed;

    /**
     * @param opener connects, which may block; called again when a connection will never reconnect
     * @param reconnected called when commands go over a new connection, before any answer is received on it
     * @param place the server, for messages
     * @param timeoutMillis how long an answer may take before the connection is checked
     */
    LettuceScriptSender(Supplier<DedicatedConnection> opener, Runnable reconnected, String place, long timeoutMillis) {
        this.opener = opener;
        this.reconnected = reconnected;
        this.place = place;
        this.watch = new DeadConnectionDetector(this, place, timeoutMillis);
    }

    @Override
    public <T> CompletableFuture<T> send(LockCall<T> call) {
        LettuceScriptCommand<T> command = new LettuceScriptCommand<>(call, this);
        sendOrKeep(List.of(command));
        return command;
    }

    @Override
    public <T> List<CompletableFuture<T>> sendAll(List<? extends LockCall<T>> calls) {
        List<LettuceScriptCommand<?>> commands = new ArrayList<>(calls.size());
        List<CompletableFuture<T>> replies = new ArrayList<>(calls.size());
        for (LockCall<T> call : calls) {
            LettuceScriptCommand<T> command = new LettuceScriptCommand<>(call, this);
            commands.add(command);
            replies.add(command);
        }
        sendOrKeep(commands);
        return replies;
    }

    private void sendOrKeep(List<LettuceScriptCommand<?>> commands) {
        if (!Burst.keeps(sending, commands)) {
            send(commands);
        }
    }

    private void send(List<? extends LettuceScriptCommand<?>> commands) {
        DedicatedConnection connection = ready;
        if (connection == null || !connection.isOpen()) {
            List<LettuceScriptCommand<?>> behindOthers = takeOutgoing();
            behindOthers.addAll(commands);
            sendLater(behindOthers);
            return;
        }
        Executor loop = eventLoop;
        if (loop == null) {
            dispatch(connection, commands);
            return;
        }
        outgoing.add(commands);
        sendOutgoingSoon(loop);
    }

    private void sendOutgoingSoon(@Nullable Executor loop) {
        if (outgoingScheduled.compareAndSet(false, true)) {
            if (loop == null) {
                sendOutgoing();
                return;
            }
            try {
                loop.execute(sendOutgoing);
            } catch (RejectedExecutionException e) {
                // The client was shut down.
                sendOutgoing();
            }
        }
    }

    private void sendOutgoing() {
        try {
            DedicatedConnection connection = ready;
            if (connection != null && connection.isOpen()) {
                dispatchOutgoing(connection);
            } else if (!outgoing.isEmpty()) {
                sendLater(takeOutgoing());
            }
        } finally {
            outgoingScheduled.set(false);
        }
        if (!outgoing.isEmpty()) {
            // Its caller may have found this scheduled and rely on it, even if the event loop is no longer used.
            sendOutgoingSoon(eventLoop);
        }
    }

    private void dispatchOutgoing(DedicatedConnection connection) {
        List<LettuceScriptCommand<?>> together = new ArrayList<>(MOST_GATHERED);
        for (int turn = 0; turn < MOST_IN_A_TURN; turn++) {
            List<? extends LettuceScriptCommand<?>> next = outgoing.poll();
            if (next == null) {
                break;
            }
            together.addAll(next);
            if (together.size() >= MOST_GATHERED) {
                dispatch(connection, together);
                together = new ArrayList<>(MOST_GATHERED);
            }
        }
        if (!together.isEmpty()) {
            dispatch(connection, together);
        }
    }

    private List<LettuceScriptCommand<?>> takeOutgoing() {
        List<LettuceScriptCommand<?>> commands = new ArrayList<>();
        List<? extends LettuceScriptCommand<?>> next = outgoing.poll();
        while (next != null) {
            commands.addAll(next);
            next = outgoing.poll();
        }
        return commands;
    }

    @Override
    public void answered(LettuceScriptCommand<?> command, @Nullable String error) {
        watch.answered(command, error);
        DedicatedConnection connection = ready;
        boolean gathers = connection != null && connection.isToOneServer();
        if (gathers && eventLoop == null) {
            eventLoop = currentEventLoop();
        } else if (!gathers && eventLoop != null && outgoing.isEmpty()) {
            // Lettuce has sent its buffer by now, so later calls cannot overtake it.
            eventLoop = null;
        }
    }

    /** The event loop of the current thread. This is internal to Netty; without it, calls are sent one by one. */
    static @Nullable Executor currentEventLoop() {
        try {
            return ThreadExecutorMap.currentExecutor();
        } catch (LinkageError e) {
            return null;
        }
    }

    /** Sends a command at once: it has waited for its turn already. */
    @Override
    public void sendAgain(AsyncCommand<byte[], byte[], ?> command) {
        DedicatedConnection current = present();
        if (current == null) {
            command.completeExceptionally(ScriptSender.closedException());
        } else {
            current.dispatch(command);
        }
    }

    /**
     * Sends WAIT: how many replicas have all writes of this connection so far. Redis blocks the connection until enough have them or the
     * time is over. Fails if there is no connection.
     */
    @Override
    public CompletableFuture<Long> awaitReplicas(int wanted, Duration timeout) {
        DedicatedConnection current = present();
        if (current == null || !current.isOpen()) {
            return CompletableFuture.failedFuture(new ConnectException("The connection to Redis was lost."));
        }
        CommandArgs<byte[], byte[]> arguments = new CommandArgs<>(ByteArrayCodec.INSTANCE);
        arguments.add(wanted).add(timeout.toMillis());
        AsyncCommand<byte[], byte[], Long> wait = new AsyncCommand<>(
                new Command<>(CommandType.WAIT, new IntegerOutput<>(ByteArrayCodec.INSTANCE), arguments));
        current.dispatch(wait);
        return wait;
    }

    @Override
    public CompletableFuture<?> publish(String channel, String message, boolean sharded) {
        DedicatedConnection current = present();
        if (current == null || !current.isOpen()) {
            return CompletableFuture.failedFuture(new IllegalStateException("There is no connection to Redis."));
        }
        CommandArgs<byte[], byte[]> arguments = new CommandArgs<>(ByteArrayCodec.INSTANCE);
        // As a key, because a Cluster sends a sharded message to the node of its slot.
        arguments.addKey(channel.getBytes(StandardCharsets.UTF_8)).add(message.getBytes(StandardCharsets.UTF_8));
        AsyncCommand<byte[], byte[], Long> publish = new AsyncCommand<>(new Command<>(
                sharded ? LettuceScriptCommand.OtherCommand.SPUBLISH : CommandType.PUBLISH,
                new IntegerOutput<>(ByteArrayCodec.INSTANCE),
                arguments));
        current.dispatch(publish);
        return publish;
    }

    private void dispatch(DedicatedConnection connection, List<? extends LettuceScriptCommand<?>> commands) {
        for (LettuceScriptCommand<?> command : commands) {
            command.isSentOver(connection.connection(), System.nanoTime());
            watch.sending(command);
        }
        connection.dispatch(commands);
    }

    private void sendLater(List<? extends LettuceScriptCommand<?>> commands) {
        RuntimeException refusal = null;
        DedicatedConnection connection;
        lock.lock();
        try {
            connection = ready;
            if (closed) {
                refusal = ScriptSender.closedException();
            } else if (connection == null || !connection.isOpen()) {
                ready = null;
                connection = null;
                if (fits(commands.size())) {
                    if (waiting.isEmpty()) {
                        waitingSince = System.nanoTime();
                    }
                    waiting.addAll(commands);
                    connectIfNeeded();
                } else {
                    refusal = new IllegalStateException(MOST_WAITING
                            + " lock commands wait for a connection to Redis. No more are accepted until it is back.");
                }
            }
        } finally {
            lock.unlock();
        }
        watch.used();
        // Outside of the lock, because failing a future runs its callbacks.
        if (refusal != null) {
            failAll(commands, refusal);
        } else if (connection != null) {
            dispatch(connection, commands);
        }
    }

    private boolean fits(int more) {
        if (waiting.size() + more > purgeAt) {
            waiting.removeIf(CompletableFuture::isDone);
            purgeAt = Math.max(1_000, 2 * (waiting.size() + more));
        }
        return waiting.size() + more <= MOST_WAITING;
    }

    private void connectIfNeeded() {
        if (!connecting && (link == null || link.isClosed())) {
            connecting = true;
            connector.execute(this::connect);
        }
    }

    private void connect() {
        DedicatedConnection fresh;
        try {
            fresh = opener.get();
        } catch (RuntimeException | Error e) {
            if (!connectsAgain(e)) {
                failWaiting(e);
            }
            return;
        }
        DedicatedConnection previous;
        boolean unwanted;
        lock.lock();
        try {
            connecting = false;
            previous = link;
            unwanted = closed || previous != null && !previous.isClosed();
            link = unwanted ? previous : fresh;
        } finally {
            lock.unlock();
        }
        if (unwanted) {
            fresh.close();
        } else {
            begin(fresh, previous);
        }
    }

    /**
     * A cold process may need longer to connect than the timeouts of the client allow, which the rest of the application has chosen.
     * Whoever waits decides how long.
     */
    private boolean connectsAgain(Throwable failure) {
        if (watch.hasAnswered() || !RedisErrorExplanations.isSilence(failure)) {
            return false;
        }
        lock.lock();
        try {
            waiting.removeIf(CompletableFuture::isDone);
            if (closed || waiting.isEmpty()) {
                return false;
            }
            connector.execute(this::connect);
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void begin(DedicatedConnection fresh, @Nullable DedicatedConnection previous) {
        eventLoop = null;
        outgoingScheduled.set(false);
        fresh.watch(() -> lost(fresh), this::back);
        if (previous != null) {
            reconnected.run();
            previous.close();
        }
        if (!outgoing.isEmpty()) {
            // The event loop of the former connection may have ended.
            sendLater(takeOutgoing());
        }
        sendWaiting();
    }

    @Override
    public @Nullable DedicatedConnection present() {
        lock.lock();
        try {
            return link;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public DedicatedConnection open() {
        return opener.get();
    }

    @Override
    public boolean haveWaited(long nanos) {
        lock.lock();
        try {
            return !waiting.isEmpty() && System.nanoTime() - waitingSince >= nanos;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean replace(@Nullable DedicatedConnection former, DedicatedConnection fresh) {
        lock.lock();
        try {
            if (closed || link != former) {
                return false;
            }
            link = fresh;
            ready = null;
            replaced = former == null ? null : former.connection();
        } finally {
            lock.unlock();
        }
        begin(fresh, former);
        return true;
    }

    @Override
    public boolean hasReplaced(StatefulConnection<?, ?> connection) {
        return connection == replaced;
    }

    private void failWaiting(Throwable failure) {
        Queue<LettuceScriptCommand<?>> failed;
        lock.lock();
        try {
            connecting = false;
            failed = waiting;
            waiting = new ArrayDeque<>();
        } finally {
            lock.unlock();
        }
        failAll(failed, failure);
    }

    private void lost(DedicatedConnection which) {
        lock.lock();
        try {
            if (link == which && !which.isOpen()) {
                ready = null;
            }
        } finally {
            lock.unlock();
        }
    }

    private void back() {
        eventLoop = currentEventLoop();
        reconnected.run();
        sendWaiting();
    }

    /** In order, by one thread at a time, which also sends the calls that arrive meanwhile. */
    private void sendWaiting() {
        boolean first = true;
        while (true) {
            List<LettuceScriptCommand<?>> batch;
            DedicatedConnection current;
            lock.lock();
            try {
                if (first && sendingWaiting) {
                    return;
                }
                waiting.removeIf(CompletableFuture::isDone);
                current = link;
                if (current == null || !current.isOpen()) {
                    // If it was lost, back() is called again; if it was closed, the next call reconnects.
                    sendingWaiting = false;
                    return;
                }
                if (waiting.isEmpty()) {
                    sendingWaiting = false;
                    ready = current;
                    return;
                }
                sendingWaiting = true;
                first = false;
                batch = List.copyOf(waiting);
                waiting.clear();
            } finally {
                lock.unlock();
            }
            dispatch(current, batch);
        }
    }

    @Override
    public @Nullable Obstacle obstacle() {
        lock.lock();
        try {
            if (closed) {
                return null;
            }
            if (link == null || !watch.hasAnswered()) {
                return Obstacle.notConnectedYet(place);
            }
            return link.isOpen() ? null : Obstacle.connectionLost(place);
        } finally {
            lock.unlock();
        }
    }

    private static void failAll(Iterable<? extends LettuceScriptCommand<?>> commands, Throwable failure) {
        commands.forEach(command -> command.completeExceptionally(failure));
    }

    @Override
    public void close() {
        watch.close();
        DedicatedConnection last;
        Queue<LettuceScriptCommand<?>> unsent;
        lock.lock();
        try {
            closed = true;
            ready = null;
            last = link;
            link = null;
            unsent = waiting;
            waiting = new ArrayDeque<>();
        } finally {
            lock.unlock();
        }
        failAll(unsent, ScriptSender.closedException());
        failAll(takeOutgoing(), ScriptSender.closedException());
        if (last != null) {
            // Closing blocks while Redis does not answer.
            connector.execute(last::close);
        }
        connector.shutdown();
        awaitClosed();
    }

    /** The factory closes its client next, which would close the connection a second time, and warn, if this has not ended. */
    private void awaitClosed() {
        try {
            if (!Await.isForbidden()) {
                boolean unused = connector.awaitTermination(LONGEST_CLOSE_MILLIS, TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
