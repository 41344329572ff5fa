package io.distributionlock.redis;

import io.distributionlock.internal.DaemonThreads;
import io.distributionlock.internal.Failures;
import io.distributionlock.redis.LockCall.CompareAndDelete;
import io.distributionlock.redis.LockCall.ScriptCall;
import io.distributionlock.redis.LockCall.SetIfAbsent;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.RedisConnectionFailureException;
import org.springframework.data.redis.connection.DecoratedRedisConnection;
import org.springframework.data.redis.connection.RedisClusterConnection;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisScriptingCommands;
import org.springframework.data.redis.connection.RedisStringCommands;
import org.springframework.data.redis.connection.ReturnType;
import org.springframework.data.redis.core.RedisCallback;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.types.Expiration;

/**
 * Sends scripts by {@link StringRedisTemplate#execute(RedisCallback)}, with a client that only has blocking calls. Each of a few threads
 * serves a fixed part of the lock names, so that the calls for one lock keep their order, and none lands in a transaction that the
 * application has begun on its own thread. The client's timeouts bound how long a thread may be blocked.
 */
final class TemplateScriptSender implements ScriptSender {

    private static final int LANES = 8;
    private static final int MAX_WAITING_PER_LANE = 10_000;

    private final StringRedisTemplate template;
    private final Runnable reconnected;
    private final String endpoint;
    private final SettingNames names;
    private final ThreadPoolExecutor[] lanes;
    private final AtomicBoolean lost = new AtomicBoolean();

    /** Calls to which the client has not lent a connection yet. */
    private final AtomicInteger withoutConnection = new AtomicInteger();

    private volatile boolean closed;
    private volatile boolean answered;

    /**
     * @param reconnected called when calls succeed again after the connection had failed
     * @param endpoint the server, for messages
     */
    TemplateScriptSender(StringRedisTemplate template, Runnable reconnected, String endpoint) {
        this.template = template;
        this.reconnected = reconnected;
        this.endpoint = endpoint;
        this.names = SettingNames.of(template.getRequiredConnectionFactory());
        this.lanes = IntStream.range(0, LANES)
                .mapToObj(lane -> DaemonThreads.single("distribution-lock-command-" + lane, MAX_WAITING_PER_LANE))
                .toArray(ThreadPoolExecutor[]::new);
    }

    @Override
    public <T> CompletableFuture<T> send(LockCall<T> call) {
        CompletableFuture<T> reply = new CompletableFuture<>();
        int lane = Math.floorMod(Arrays.hashCode(call.key()), LANES);
        try {
            lanes[lane].execute(() -> run(call, reply));
        } catch (RejectedExecutionException e) {
            reply.completeExceptionally(
                    closed
                            ? ScriptSender.closedException()
                            : new IllegalStateException(
                                    MAX_WAITING_PER_LANE + " lock commands wait for one thread. No more are accepted.",
                                    e));
        }
        return reply;
    }

    @Override
    public CompletableFuture<?> publish(String channel, String message, boolean sharded) {
        byte[] channelBytes = channel.getBytes(StandardCharsets.UTF_8);
        byte[] messageBytes = message.getBytes(StandardCharsets.UTF_8);
        return CompletableFuture.runAsync(
                () -> template.execute((RedisCallback<Object>) connection -> sharded
                        ? connection.execute("SPUBLISH", channelBytes, messageBytes)
                        : connection.publish(channelBytes, messageBytes)),
                lanes[0]);
    }

    private <T> void run(LockCall<T> call, CompletableFuture<T> reply) {
        if (reply.isDone()) {
            return;
        }
        if (closed) {
            reply.completeExceptionally(ScriptSender.closedException());
            return;
        }
        T answer;
        try {
            answer = answer(call);
        } catch (RuntimeException | Error e) {
            if (e instanceof RedisConnectionFailureException) {
                lost.set(true);
            }
            reply.completeExceptionally(RedisErrorExplanations.explained(RetryableErrors.translate(e), call, names));
            return;
        }
        if (!answered) {
            answered = true;
        }
        if (lost.compareAndSet(true, false)) {
            reconnected.run();
        }
        reply.complete(answer);
    }

    @SuppressWarnings("unchecked") // other calls answer with a Boolean
    private <T> T answer(LockCall<T> call) {
        if (call instanceof ScriptCall<T> script) {
            return answer(script);
        }
        return (T) (call instanceof CompareAndDelete delete ? delete(delete) : set((SetIfAbsent) call));
    }

    private Boolean delete(CompareAndDelete call) {
        Object answer = execute(connection -> execute(connection, call));
        if (answer instanceof Long deleted) {
            return deleted == 1;
        }
        throw unexpected(answer);
    }

    private static @Nullable Object execute(RedisConnection connection, CompareAndDelete call) {
        RedisConnection client =
                connection instanceof DecoratedRedisConnection decorated ? decorated.getDelegate() : connection;
        // A Cluster has to be told the key, or it would ask any node.
        if (client instanceof RedisClusterConnection cluster) {
            return cluster.execute(call.command(), call.key(), call.arguments());
        }
        return connection.execute(
                call.command(),
                Stream.concat(Stream.of(call.key()), call.arguments().stream()).toArray(byte[][]::new));
    }

    private Boolean set(SetIfAbsent call) {
        Boolean taken = execute(connection -> connection
                .stringCommands()
                .set(
                        call.key(),
                        call.claim(),
                        Expiration.milliseconds(call.leaseMillis()),
                        RedisStringCommands.SetOption.ifAbsent()));
        if (taken == null) {
            throw unexpected(null);
        }
        return taken;
    }

    private <T> T answer(ScriptCall<T> call) {
        Object answer = execute(connection -> execute(connection, call));
        if (answer instanceof byte[] text) {
            return call.meaning().apply(new String(text, StandardCharsets.UTF_8));
        }
        throw unexpected(answer);
    }

    private <R> @Nullable R execute(RedisCallback<R> work) {
        AtomicBoolean lent = new AtomicBoolean();
        withoutConnection.incrementAndGet();
        try {
            return template.execute((RedisCallback<R>) connection -> {
                lent.set(true);
                withoutConnection.decrementAndGet();
                return work.doInRedis(connection);
            });
        } finally {
            if (!lent.get()) {
                withoutConnection.decrementAndGet();
            }
        }
    }

    private static IllegalStateException unexpected(@Nullable Object answer) {
        return new IllegalStateException("The Redis connection answered " + answer
                + " to a lock command. Check that it is not in a transaction or a pipeline.");
    }

    private static @Nullable Object execute(RedisConnection connection, ScriptCall<?> call) {
        LockScript script = call.script();
        byte[][] parameters = call.parameters().toArray(byte[][]::new);
        RedisScriptingCommands commands = connection.scriptingCommands();
        try {
            return commands.evalSha(script.sha1(), ReturnType.VALUE, call.keyCount(), parameters);
        } catch (DataAccessException e) {
            if (!Failures.isAny(e, cause -> String.valueOf(cause.getMessage()).contains("NOSCRIPT"))) {
                throw e;
            }
            return commands.eval(script.text(), ReturnType.VALUE, call.keyCount(), parameters);
        }
    }

    @Override
    public @Nullable Diagnosis diagnosis() {
        if (closed) {
            return null;
        }
        if (!answered) {
            return Diagnosis.notConnectedYet(endpoint, names);
        }
        return withoutConnection.get() == 0 ? null : Diagnosis.noneToSpare(endpoint, names);
    }

    @Override
    public void close() {
        closed = true;
        // Waiting calls still run, find the flag and fail.
        for (ThreadPoolExecutor lane : lanes) {
            lane.shutdown();
        }
    }
}
