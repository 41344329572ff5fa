package io.distributionlock.redis;

import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.netty.util.internal.ThreadExecutorMap;
import java.net.ConnectException;
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
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Sends scripts over the native connection that a Lettuce connection factory shares among its users.
 *
 * <p>The factory connects on first use and blocks meanwhile, so that this is done on a thread of our own. Until there is a
 * connection, and again while it is lost, calls wait here in order rather than in Lettuce's own buffer: there, a cancelled call
 * would take up memory until Redis is back. If connecting fails, all that wait fail with it, and the next call tries again.
 */
final class LettuceScriptSender implements ScriptSender {

    /** Far more than a process has under way at once; only to bound the memory of one that does not cancel. */
    private static final int MOST_WAITING = 100_000;

    private final Supplier<LettuceLink> opener;
    private final Runnable reconnected;
    private final ExecutorService connector = DaemonThreads.single("distribution-lock-connect");

    /**
     * Calls that come while a connection has just come back: its event loop sends them, so that none overtakes those that
     * Lettuce itself still holds. Not the usual way, on which commands leave one by one: a server that gets them together
     * works while the client waits, and the other way round.
     */
    private final Queue<LettuceScriptCommand<?>> outgoing = new ConcurrentLinkedQueue<>();

    private final AtomicBoolean outgoingScheduled = new AtomicBoolean();
    private final Runnable sendOutgoing = this::sendOutgoing;

    /** Set from a return of the connection until its first answer. */
    private volatile @Nullable Executor eventLoop;

    private final ReentrantLock lock = new ReentrantLock();

    /** The connection, if calls may go to it without looking at anything else. */
    private volatile @Nullable StatefulConnection<byte[], byte[]> ready;

    // Guarded by the lock.
    private Queue<LettuceScriptCommand<?>> waiting = new ArrayDeque<>();
    private int purgeAt = 1_000;
    private @Nullable LettuceLink link;
    private boolean connecting;
    private boolean sendingWaiting;
    private boolean closed;

    /** @param reconnected told when calls travel over another connection than before, before any answer is received on it */
    LettuceScriptSender(LettuceConnectionFactory factory, Runnable reconnected) {
        this(() -> LettuceLink.open(factory), reconnected);
    }

    /** @param opener connects, which may block; called again when a connection will never come back by itself */
    LettuceScriptSender(Supplier<LettuceLink> opener, Runnable reconnected) {
        this.opener = opener;
        this.reconnected = reconnected;
    }

    @Override
    public <T> CompletableFuture<T> send(ScriptCall<T> call) {
        LettuceScriptCommand<T> command = new LettuceScriptCommand<>(call, this::sendAgain, this::answered);
        send(List.of(command));
        return command;
    }

    @Override
    public <T> List<CompletableFuture<T>> sendAll(List<ScriptCall<T>> calls) {
        List<LettuceScriptCommand<?>> commands = new ArrayList<>(calls.size());
        List<CompletableFuture<T>> replies = new ArrayList<>(calls.size());
        for (ScriptCall<T> call : calls) {
            LettuceScriptCommand<T> command = new LettuceScriptCommand<>(call, this::sendAgain, this::answered);
            commands.add(command);
            replies.add(command);
        }
        send(commands);
        return replies;
    }

    private void send(List<? extends LettuceScriptCommand<?>> commands) {
        StatefulConnection<byte[], byte[]> connection = ready;
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
        outgoing.addAll(commands);
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
        List<LettuceScriptCommand<?>> commands = takeOutgoing();
        StatefulConnection<byte[], byte[]> connection = ready;
        if (connection != null && connection.isOpen()) {
            dispatch(connection, commands);
        } else if (!commands.isEmpty()) {
            sendLater(commands);
        }
        outgoingScheduled.set(false);
        if (!outgoing.isEmpty()) {
            // Whoever added it may have found this scheduled, and relies on it, also when the loop is unused by now.
            sendOutgoingSoon(eventLoop);
        }
    }

    private List<LettuceScriptCommand<?>> takeOutgoing() {
        List<LettuceScriptCommand<?>> commands = new ArrayList<>();
        LettuceScriptCommand<?> command = outgoing.poll();
        while (command != null) {
            commands.add(command);
            command = outgoing.poll();
        }
        return commands;
    }

    /** Called on Lettuce's event loop with each answer: the connection is in full use, and what is sent now comes last. */
    private void answered() {
        if (eventLoop != null && outgoing.isEmpty()) {
            eventLoop = null;
        }
    }

    /** What runs the present thread. Netty does not promise to keep this; without it, calls are sent one by one. */
    static @Nullable Executor currentEventLoop() {
        try {
            return ThreadExecutorMap.currentExecutor();
        } catch (LinkageError e) {
            return null;
        }
    }

    /** A call that was answered by "unknown script" goes out once more; it has waited for its turn already. */
    private void sendAgain(AsyncCommand<byte[], byte[], ?> command) {
        LettuceLink current;
        lock.lock();
        try {
            current = link;
        } finally {
            lock.unlock();
        }
        if (current == null) {
            command.completeExceptionally(ScriptSender.closedException());
        } else {
            dispatch(current.connection(), command);
        }
    }

    /**
     * How many replicas have what ran over this connection until now. Redis holds the connection up until there are as many as
     * wanted, or the time is over. Fails if there is no connection.
     */
    CompletableFuture<Long> replicasThatHaveAll(int wanted, Duration timeout) {
        LettuceLink current;
        lock.lock();
        try {
            current = link;
        } finally {
            lock.unlock();
        }
        if (current == null || !current.connection().isOpen()) {
            return CompletableFuture.failedFuture(new ConnectException("The connection to Redis was lost."));
        }
        CommandArgs<byte[], byte[]> arguments = new CommandArgs<>(ByteArrayCodec.INSTANCE);
        arguments.add(wanted).add(timeout.toMillis());
        AsyncCommand<byte[], byte[], Long> wait = new AsyncCommand<>(
                new Command<>(CommandType.WAIT, new IntegerOutput<>(ByteArrayCodec.INSTANCE), arguments));
        dispatch(current.connection(), wait);
        return wait;
    }

    private static void dispatch(
            StatefulConnection<byte[], byte[]> connection, AsyncCommand<byte[], byte[], ?> command) {
        try {
            connection.dispatch(command);
        } catch (RuntimeException e) {
            command.completeExceptionally(e);
        }
    }

    private static void dispatch(
            StatefulConnection<byte[], byte[]> connection, List<? extends LettuceScriptCommand<?>> commands) {
        if (commands.size() == 1 || !(connection instanceof StatefulRedisConnection)) {
            // To a Cluster, Lettuce sends several commands together only after it has connected to the node of each,
            // which blocks; and one node that is down fails them all.
            commands.forEach(command -> dispatch(connection, command));
        } else if (!commands.isEmpty()) {
            try {
                connection.dispatch(commands);
            } catch (RuntimeException e) {
                failAll(commands, e);
            }
        }
    }

    private void sendLater(List<? extends LettuceScriptCommand<?>> commands) {
        RuntimeException refusal = null;
        StatefulConnection<byte[], byte[]> connection;
        lock.lock();
        try {
            connection = ready;
            if (closed) {
                refusal = ScriptSender.closedException();
            } else if (connection == null || !connection.isOpen()) {
                ready = null;
                connection = null;
                if (hasRoomFor(commands.size())) {
                    waiting.addAll(commands);
                    connectIfNeeded();
                } else {
                    refusal = new IllegalStateException(MOST_WAITING
                            + " commands of the locks wait for a connection to Redis; no more are taken until"
                            + " it is back.");
                }
            }
        } finally {
            lock.unlock();
        }
        // Outside of the lock, because what fails runs the callbacks of its future at once.
        if (refusal != null) {
            failAll(commands, refusal);
        } else if (connection != null) {
            dispatch(connection, commands);
        }
    }

    private boolean hasRoomFor(int more) {
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
        LettuceLink fresh;
        try {
            fresh = opener.get();
        } catch (RuntimeException | Error e) {
            failWaiting(e);
            return;
        }
        LettuceLink previous;
        boolean unwanted;
        lock.lock();
        try {
            connecting = false;
            unwanted = closed;
            previous = link;
            link = unwanted ? null : fresh;
        } finally {
            lock.unlock();
        }
        eventLoop = null;
        outgoingScheduled.set(false);
        if (previous != null) {
            previous.close();
        }
        if (unwanted) {
            fresh.close();
            return;
        }
        fresh.watch(() -> lost(fresh), this::back);
        if (previous != null) {
            reconnected.run();
        }
        sendWaiting();
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

    private void lost(LettuceLink which) {
        lock.lock();
        try {
            if (link == which && !which.connection().isOpen()) {
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

    /** In order, and one thread at a time: whoever comes meanwhile has its calls sent by the one who is at it. */
    private void sendWaiting() {
        boolean first = true;
        while (true) {
            List<LettuceScriptCommand<?>> batch;
            LettuceLink current;
            lock.lock();
            try {
                if (first && sendingWaiting) {
                    return;
                }
                waiting.removeIf(CompletableFuture::isDone);
                current = link;
                if (current == null || !current.connection().isOpen()) {
                    // If it was lost again, back() comes once more; if it was closed, the next call finds out.
                    sendingWaiting = false;
                    return;
                }
                if (waiting.isEmpty()) {
                    sendingWaiting = false;
                    ready = current.connection();
                    return;
                }
                sendingWaiting = true;
                first = false;
                batch = List.copyOf(waiting);
                waiting.clear();
            } finally {
                lock.unlock();
            }
            dispatch(current.connection(), batch);
        }
    }

    private static void failAll(Iterable<? extends LettuceScriptCommand<?>> commands, Throwable failure) {
        commands.forEach(command -> command.completeExceptionally(failure));
    }

    @Override
    public void close() {
        LettuceLink last;
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
            // Giving back a connection may take its time if Redis is dead.
            connector.execute(last::close);
        }
        connector.shutdown();
    }
}
