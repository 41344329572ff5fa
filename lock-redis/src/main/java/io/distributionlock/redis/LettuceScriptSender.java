package io.distributionlock.redis;

import io.distributionlock.internal.Pipeline;
import io.lettuce.core.RedisException;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.protocol.ProtocolKeyword;
import io.lettuce.core.protocol.RedisCommand;
import java.net.ConnectException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Sends scripts over a dedicated native connection of Lettuce.
 *
 * <p>There are four situations. There is no connection: commands wait here while one is opened; if that fails, all of them fail, and the
 * next one tries again. Lettuce repairs the connection, or Redis is silent: they wait here too, rather than in Lettuce's buffer, where a
 * cancelled one would take up memory until Redis is back. There is a connection that has not answered yet, or one to several servers: each
 * command is sent by the thread that makes it. Usually, they wait for a moment here too, so that the event loop of the connection sends
 * those of several threads together.
 */
final class LettuceScriptSender implements ReplicatedScriptSender.Link {

    /** How many are added to those that wait before the cancelled ones are removed. */
    private static final int BETWEEN_PURGES = 1_000;

    /**
     * How many commands of different callers leave together. Each flush is a system call, here and in Redis; but while many are written,
     * Redis would be idle, and then answer many while the client is idle.
     */
    private static final int MAX_GATHERED = 4;

    private final Consumer<List<LettuceScriptCommand<?>>> sending = this::send;
    private final LockConnection connection;
    private final ConnectionWatch watch;
    private final Runnable whenReconnected;
    private final String endpoint;
    private final SettingNames names;

    /** How many have had to wait for a connection so far. */
    private final AtomicInteger delayed = new AtomicInteger();

    /** What waits for a connection, or for its turn on the event loop. What is sent at the same time stays together. */
    private final Queue<List<LettuceScriptCommand<?>>> outgoing = new ConcurrentLinkedQueue<>();

    /** Each connection has its own: the event loop of a client that was shut down may never run what it has accepted. */
    private volatile Drain drain = new Drain(this::sendOutgoing);

    private volatile boolean hasAnswered;

    /**
     * @param opener connects, which may block; called again when a connection is of no use any more
     * @param reconnected called when commands go over a new connection, before any answer is received on it
     * @param endpoint the server, for messages
     * @param names of the settings of the connection, for advice
     * @param timeoutMillis how long an answer may take before the connection is checked
     */
    LettuceScriptSender(
            Supplier<DedicatedConnection> opener,
            Runnable reconnected,
            String endpoint,
            SettingNames names,
            long timeoutMillis) {
        this.connection = new LockConnection(this, opener);
        this.watch = new ConnectionWatch(this, connection, endpoint, timeoutMillis);
        this.whenReconnected = reconnected;
        this.endpoint = endpoint;
        this.names = names;
    }

    SettingNames names() {
        return names;
    }

    @Override
    public <T> CompletableFuture<T> send(LockCall<T> call) {
        LettuceScriptCommand<T> command = new LettuceScriptCommand<>(call, this);
        List<LettuceScriptCommand<?>> alone = List.of(command);
        if (!Pipeline.add(sending, alone)) {
            send(alone);
        }
        return command;
    }

    @Override
    public void connect() {
        connection.open();
    }

    private void send(List<LettuceScriptCommand<?>> commands) {
        watch.sending(commands.get(0));
        DedicatedConnection usable = connection.usable();
        if (usable == null) {
            if (delayed.incrementAndGet() % BETWEEN_PURGES == 0) {
                removeCancelled();
            }
            outgoing.add(commands);
            if (connection.present() == null) {
                connection.open();
            } else {
                // It may be back by now.
                sendOutgoingSoon();
            }
        } else if (drain.isOnEventLoop()) {
            outgoing.add(commands);
            sendOutgoingSoon();
        } else {
            dispatch(usable, commands);
        }
    }

    private void removeCancelled() {
        outgoing.removeIf(commands -> commands.stream().allMatch(CompletableFuture::isDone));
    }

    /** Sends what waits, if it can be sent now. */
    void sendOutgoingSoon() {
        drain.require();
    }

    private void sendOutgoing() {
        DedicatedConnection usable = connection.usable();
        while (usable != null) {
            List<LettuceScriptCommand<?>> together = new ArrayList<>(MAX_GATHERED);
            List<LettuceScriptCommand<?>> next = outgoing.poll();
            while (next != null) {
                together.addAll(next);
                next = together.size() < MAX_GATHERED ? outgoing.poll() : null;
            }
            if (together.isEmpty()) {
                return;
            }
            dispatch(usable, together);
            usable = connection.usable();
        }
        if (connection.present() == null && !outgoing.isEmpty()) {
            connection.open();
        }
    }

    private void dispatch(DedicatedConnection present, List<LettuceScriptCommand<?>> commands) {
        for (LettuceScriptCommand<?> command : commands) {
            command.isSentOver(present);
        }
        present.dispatch(commands);
    }

    /** There is a connection now, perhaps another one than before. */
    void connected() {
        drain = new Drain(this::sendOutgoing);
        sendOutgoingSoon();
    }

    /** No connection could be opened. */
    void notConnected(Throwable failure) {
        removeCancelled();
        // A cold process may need longer to connect than the timeouts of the client allow, which the application has
        // chosen. The waiting time of the attempts decides how long.
        if (!hasAnswered && RedisErrorExplanations.isSilence(failure) && !outgoing.isEmpty()) {
            connection.open();
        } else {
            failOutgoing(failure);
        }
    }

    /** Earlier commands may run late or never; called before any answer is received over the new connection. */
    void reconnected() {
        drain.leaveEventLoop();
        whenReconnected.run();
        sendOutgoingSoon();
    }

    /** Called on Lettuce's event loop, before the future completes. */
    void answered(LettuceScriptCommand<?> command, DedicatedConnection over, @Nullable String error) {
        watch.answered(command, error);
        answered(over);
        if (!drain.isOnEventLoop() && over.isToOneServer()) {
            drain.useEventLoopOfThisThread();
        }
    }

    /** An answer has come over the connection. */
    void answered(DedicatedConnection over) {
        if (!hasAnswered) {
            hasAnswered = true;
        }
        if (over.answered()) {
            sendOutgoingSoon();
        }
    }

    /**
     * Sends WAIT: how many replicas have all writes of this connection so far. Redis blocks the connection until enough have them or the
     * time is over. Fails if there is no connection.
     */
    @Override
    public CompletableFuture<Long> awaitReplicas(int wanted, Duration timeout) {
        CommandArgs<byte[], byte[]> arguments = new CommandArgs<>(ByteArrayCodec.INSTANCE);
        arguments.add(wanted).add(timeout.toMillis());
        return sendAtOnce(CommandType.WAIT, arguments);
    }

    @Override
    public long epoch() {
        return connection.epoch();
    }

    @Override
    public CompletableFuture<?> publish(String channel, String message, boolean sharded) {
        CommandArgs<byte[], byte[]> arguments = new CommandArgs<>(ByteArrayCodec.INSTANCE);
        // As a key, because a Cluster sends a sharded message to the node of its slot.
        arguments.addKey(channel.getBytes(StandardCharsets.UTF_8)).add(message.getBytes(StandardCharsets.UTF_8));
        return sendAtOnce(sharded ? LettuceScriptCommand.OtherCommand.SPUBLISH : CommandType.PUBLISH, arguments);
    }

    private CompletableFuture<Long> sendAtOnce(ProtocolKeyword type, CommandArgs<byte[], byte[]> arguments) {
        DedicatedConnection present = connection.present();
        if (present == null || !present.isOpen()) {
            return CompletableFuture.failedFuture(new ConnectException("There is no connection to Redis."));
        }
        LettuceCommand<Long> command =
                new LettuceCommand<>(new Command<>(type, new IntegerOutput<>(ByteArrayCodec.INSTANCE), arguments));
        present.dispatch(command);
        return command;
    }

    @Override
    public @Nullable Diagnosis diagnosis() {
        if (!hasAnswered) {
            return Diagnosis.notConnectedYet(endpoint, names);
        }
        DedicatedConnection present = connection.present();
        if (present != null && present.isOpen()) {
            return null;
        }
        Throwable reason = connection.openingFailure();
        return reason == null
                ? Diagnosis.connectionLost(endpoint)
                : Diagnosis.connectionLost(endpoint, RedisErrorExplanations.explainedEvenIfTemporary(reason, names));
    }

    private void failOutgoing(Throwable failure) {
        List<LettuceScriptCommand<?>> failed = new ArrayList<>();
        List<LettuceScriptCommand<?>> next = outgoing.poll();
        while (next != null) {
            failed.addAll(next);
            next = outgoing.poll();
        }
        // A caller that sends again as soon as one of them has failed must not get the same failure.
        failed.forEach(command -> command.completeExceptionally(failure));
    }

    @Override
    public void close() {
        watch.close();
        connection.close();
        failOutgoing(ScriptSender.closedException());
    }

    /** A command of Lettuce, which cancels what is under way over a connection that it closes: here, that has a reason. */
    static class LettuceCommand<T> extends AsyncCommand<byte[], byte[], T> {

        LettuceCommand(RedisCommand<byte[], byte[], T> command) {
            super(command);
        }

        /** Called by Lettuce. A caller that needs no answer uses {@link #cancel(boolean)}. */
        @Override
        public void cancel() {
            completeExceptionally(new RedisException("The connection to Redis was closed before there was an answer."));
        }
    }
}
