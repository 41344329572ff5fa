package io.distributionlock.redis;

import io.distributionlock.internal.Await;
import io.distributionlock.internal.DaemonThreads;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.ByteArrayOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Notices a connection that is dead without an error: its packets are lost, it is never established, or it leads to a master that has
 * become a replica.
 *
 * <p>One command at a time is followed. If that has no answer for a while, a second connection is opened, and both are asked the same
 * question. If only the second answers, it replaces the first, whose commands fail and are repeated by the engine. If neither answers,
 * Redis itself is silent. While no locks are used, this sends nothing and has no thread.
 */
final class ConnectionWatch implements AutoCloseable {

    private static final Log log = LogFactory.getLog(ConnectionWatch.class);

    private static final long TICK_MILLIS = 500;
    private static final Duration MAX_PROBE = Duration.ofSeconds(2);

    /** How long the present connection may stay silent once the second has answered: the same Redis serves both. */
    private static final Duration GRACE = Duration.ofSeconds(1);

    private static final long BETWEEN_CHECKS_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long SAME_FAIL_OVER_NANOS = TimeUnit.MINUTES.toNanos(1);

    /** @param epoch of the connection: over the next one, the command is not followed */
    private record Followed(LettuceScriptCommand<?> command, long since, long epoch) {}

    private final LettuceScriptSender user;
    private final LockConnection connection;
    private final String endpoint;
    private final long timeoutNanos;
    private final ScheduledThreadPoolExecutor timer = DaemonThreads.timer("distribution-lock-watch");
    private final AtomicReference<@Nullable Followed> followed = new AtomicReference<>();
    private final AtomicBoolean watching = new AtomicBoolean();
    private volatile boolean readOnly;

    // Used only on the thread that watches.
    private long nextCheckAt = System.nanoTime();
    private long leftReplicaAt = System.nanoTime() - SAME_FAIL_OVER_NANOS;

    /**
     * @param user sends over the connection
     * @param endpoint the server, for the log
     * @param timeoutMillis how long an answer may take before the connection is checked
     */
    ConnectionWatch(LettuceScriptSender user, LockConnection connection, String endpoint, long timeoutMillis) {
        this.user = user;
        this.connection = connection;
        this.endpoint = endpoint;
        this.timeoutNanos = TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    }

    /** Called before the command is sent, or kept until there is a connection. */
    void sending(LettuceScriptCommand<?> command) {
        if (followed.get() == null) {
            followed.compareAndSet(null, new Followed(command, System.nanoTime(), connection.epoch()));
        }
        if (!watching.get()) {
            watch();
        }
    }

    void answered(LettuceScriptCommand<?> command, @Nullable String error) {
        Followed oldest = followed.get();
        if (oldest != null && oldest.command() == command) {
            followed.compareAndSet(oldest, null);
        }
        if (error != null && RetryableErrors.saysReadOnly(error)) {
            readOnly = true;
        }
    }

    private void watch() {
        if (watching.compareAndSet(false, true)) {
            try {
                timer.schedule(this::tick, TICK_MILLIS, TimeUnit.MILLISECONDS);
            } catch (RejectedExecutionException e) {
                log.debug("Closed", e);
            }
        }
    }

    private void tick() {
        try {
            Followed oldest = followed.get();
            long now = System.nanoTime();
            if (oldest != null && oldest.epoch() != connection.epoch()) {
                followed.compareAndSet(oldest, null);
                oldest = null;
            }
            // That a connection is lost is known at once, but not why.
            boolean late = oldest != null && (connection.isLost() || now - oldest.since() >= timeoutNanos);
            if ((late || readOnly) && now - nextCheckAt >= 0) {
                check(late ? oldest : null);
            }
        } catch (RuntimeException | Error e) {
            log.debug("The lock connection to " + endpoint + " could not be checked", e);
        } finally {
            watching.set(false);
        }
        if (followed.get() != null || readOnly) {
            watch();
        }
    }

    private void check(@Nullable Followed unanswered) {
        DedicatedConnection former = connection.latest();
        boolean refusesWrites = readOnly;
        readOnly = false;
        try {
            if (refusesWrites && former != null && former.isToOneServer()) {
                leaveReplica(former);
            } else if (unanswered != null) {
                compare(former, unanswered);
            }
        } finally {
            nextCheckAt = System.nanoTime() + BETWEEN_CHECKS_NANOS;
            if (unanswered != null && unanswered.command().isDone()) {
                // Given up: the next one shows whether the connection is dead.
                followed.compareAndSet(unanswered, null);
            }
        }
    }

    /** A new connection finds out where the address of the server leads now. */
    private void leaveReplica(DedicatedConnection former) {
        if (!connection.replace(former, connection.openSecond())) {
            return;
        }
        long now = System.nanoTime();
        if (now - leftReplicaAt >= SAME_FAIL_OVER_NANOS) {
            log.warn("The Redis of the locks (" + endpoint
                    + ") refuses writes (READONLY): it has become a replica. The locks reconnect until they reach the"
                    + " master.");
        }
        leftReplicaAt = now;
    }

    private void compare(@Nullable DedicatedConnection former, Followed unanswered) {
        byte[] key = unanswered.command().call().key();
        boolean open = former != null && former.isOpen();
        long begun = System.nanoTime();
        if (former != null && open) {
            former.noteSilenceSince(unanswered.since());
        }
        DedicatedConnection second = connection.openSecond();
        if (!answers(second, key, MAX_PROBE) || former != null && isAlive(former, key, begun)) {
            second.close();
        } else if (connection.replace(former, second) && open) {
            log.warn("Replaced the lock connection to " + endpoint + ": it had no answer for "
                    + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - unanswered.since())
                    + " ms, while a new connection works.");
        }
    }

    /** Lettuce would keep what it is asked over a lost connection until Redis is back, however long that takes. */
    private boolean isAlive(DedicatedConnection former, byte[] key, long begun) {
        if (former.isOpen() && answers(former, key, GRACE)) {
            user.answered(former);
            return true;
        }
        // The question may be behind many commands: any answer of the same server will do.
        return former.isOpen() && former.isToOneServer() && former.hasAnsweredSince(begun);
    }

    /**
     * Asks by a script, which meets the same difficulties as the commands; for the same key, so that the same node of a Cluster answers. It
     * only reads, and lacks its other keys; the error that says so is an answer. What Redis says does not matter: that it does not know the
     * script, for instance.
     */
    private static boolean answers(DedicatedConnection asked, byte[] key, Duration patience) {
        CommandArgs<byte[], byte[]> arguments = new CommandArgs<>(ByteArrayCodec.INSTANCE);
        arguments.add(LockScript.LOCKED.sha1()).add(1).addKey(key);
        AsyncCommand<byte[], byte[], byte[]> question = new AsyncCommand<>(
                new Command<>(CommandType.EVALSHA, new ByteArrayOutput<>(ByteArrayCodec.INSTANCE), arguments));
        asked.dispatch(question);
        try {
            Await.atMost(patience, question);
            return true;
        } catch (ExecutionException e) {
            return RedisErrorExplanations.isReply(e);
        } catch (CancellationException | TimeoutException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
