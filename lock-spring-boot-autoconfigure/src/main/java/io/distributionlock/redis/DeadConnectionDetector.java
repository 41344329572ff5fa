package io.distributionlock.redis;

import io.distributionlock.internal.Await;
import io.distributionlock.internal.DaemonThreads;
import io.distributionlock.redis.LockCall.ScriptCall;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.protocol.AsyncCommand;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
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
 * Detects a connection that is dead without an error: its packets are lost, it is never established, or it leads to a master that
 * has become a replica.
 *
 * <p>It watches one call at a time. If that has no answer for a while, a second connection is opened and both are probed. If only the
 * new one answers, it replaces the present one; if neither answers, Redis itself is silent and nothing changes. While no locks are
 * used, it sends nothing and has no thread.
 */
final class DeadConnectionDetector implements AutoCloseable {

    private static final Log log = LogFactory.getLog(DeadConnectionDetector.class);

    private static final long TICK_MILLIS = 500;

    /** How long the present connection may stay silent once the new one has answered: the same Redis serves both. */
    private static final long GRACE_MILLIS = 1_000;

    private static final long LONGEST_PROBE_MILLIS = 2_000;

    /** Lettuce may wait a minute for a server that says nothing. Another connection may get through meanwhile. */
    private static final Duration LONGEST_OPENING = Duration.ofSeconds(4);

    private static final long FIRST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long LONGEST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(4);

    /** After so long without a command, the connection is not watched. */
    private static final long IN_USE_NANOS = TimeUnit.SECONDS.toNanos(15);

    private static final long SAME_FAIL_OVER_NANOS = TimeUnit.MINUTES.toNanos(1);

    private static final byte[] PROBE = ":probe".getBytes(StandardCharsets.US_ASCII);

    /** The connections to watch. */
    interface Connections {

        @Nullable
        DedicatedConnection present();

        /** Blocks. */
        DedicatedConnection open();

        /** @return {@code false} if the former is no longer the present one, or everything is closed */
        boolean replace(@Nullable DedicatedConnection former, DedicatedConnection fresh);

        /** Whether calls have waited to be sent for so long. */
        boolean haveWaited(long nanos);
    }

    private final Connections connections;
    private final String place;
    private final long timeoutNanos;
    private final ScheduledThreadPoolExecutor thread = DaemonThreads.timer("distribution-lock-watch");
    private final AtomicReference<@Nullable LettuceScriptCommand<?>> followed = new AtomicReference<>();
    private final AtomicBoolean armed = new AtomicBoolean();
    private volatile long usedAt;
    /** 0 before the first answer. */
    private volatile long answeredAt;

    private volatile boolean readOnly;

    // Used only on the thread.
    private long pauseNanos = FIRST_PAUSE_NANOS;
    private long nextCheckAt = System.nanoTime();
    private long leftReplicaAt = System.nanoTime() - SAME_FAIL_OVER_NANOS;

    /**
     * @param place the server, for the log
     * @param timeoutMillis how long an answer may take
     */
    DeadConnectionDetector(Connections connections, String place, long timeoutMillis) {
        this.connections = connections;
        this.place = place;
        this.timeoutNanos = TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    }

    /** Called before the command is sent. */
    void sending(LettuceScriptCommand<?> command) {
        if (followed.get() == null) {
            followed.compareAndSet(null, command);
        }
        used();
    }

    /** A call is sent, or waits to be sent. */
    void used() {
        usedAt = System.nanoTime();
        if (!armed.get()) {
            arm();
        }
    }

    /** Called on the event loop, with each answer. */
    void answered(LettuceScriptCommand<?> command, @Nullable String error) {
        answeredAt = System.nanoTime();
        if (followed.get() == command) {
            followed.compareAndSet(command, null);
        }
        if (error != null && RetryableErrors.saysReadOnly(error)) {
            readOnly = true;
        }
    }

    /** Whether an answer has ever come. */
    boolean hasAnswered() {
        return answeredAt != 0;
    }

    private void arm() {
        if (armed.compareAndSet(false, true)) {
            try {
                thread.schedule(this::tick, TICK_MILLIS, TimeUnit.MILLISECONDS);
            } catch (RejectedExecutionException e) {
                log.debug("Closed", e);
            }
        }
    }

    private void tick() {
        try {
            check();
        } catch (RuntimeException | Error e) {
            log.debug("The lock connection to " + place + " could not be checked", e);
        } finally {
            armed.set(false);
        }
        if ((followed.get() != null || readOnly || connections.haveWaited(0))
                && System.nanoTime() - usedAt < IN_USE_NANOS) {
            arm();
        }
    }

    private void check() {
        long now = System.nanoTime();
        LettuceScriptCommand<?> command = followed.get();
        boolean silent = command != null && now - command.sentAt() >= timeoutNanos;
        boolean wait = connections.haveWaited(timeoutNanos);
        if (!silent && !wait && !readOnly) {
            pauseNanos = FIRST_PAUSE_NANOS;
            return;
        }
        if (now - nextCheckAt < 0) {
            return;
        }
        readOnly = false;
        try {
            DedicatedConnection present = connections.present();
            if (wait) {
                reconnect(present);
            } else if (silent && command != null) {
                compare(present, command);
            } else if (present != null && present.isToOneServer()) {
                leaveReplica(present);
            }
        } finally {
            nextCheckAt = System.nanoTime() + pauseNanos;
            pauseNanos = Math.min(2 * pauseNanos, LONGEST_PAUSE_NANOS);
        }
    }

    /** Calls wait for a connection that is not established. */
    private void reconnect(@Nullable DedicatedConnection present) {
        DedicatedConnection fresh = open();
        boolean used = false;
        try {
            // Meanwhile the other connection may have been established.
            used = connections.haveWaited(timeoutNanos) && connections.replace(present, fresh);
        } finally {
            if (!used) {
                fresh.close();
            }
        }
        if (used) {
            log.debug("A second lock connection to " + place + " was established before the first");
        }
    }

    /** On a thread of its own, because an opening cannot be ended. One that is late is closed. */
    private DedicatedConnection open() {
        CompletableFuture<DedicatedConnection> opening =
                CompletableFuture.supplyAsync(connections::open, DaemonThreads.each("distribution-lock-open"));
        try {
            return Await.atMost(LONGEST_OPENING, opening);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            opening.thenAccept(DedicatedConnection::close);
            throw new IllegalStateException("No second connection", e);
        }
    }

    private void compare(@Nullable DedicatedConnection present, LettuceScriptCommand<?> command) {
        if (present == null || present.connection() != command.sentOver()) {
            followed.compareAndSet(command, null);
            return;
        }
        byte[] key = probedKey(command);
        long askedAt = System.nanoTime();
        CompletableFuture<Boolean> here = ask(present, key);
        DedicatedConnection fresh = open();
        boolean used = false;
        try {
            if (!answers(ask(fresh, key), LONGEST_PROBE_MILLIS)) {
                return;
            }
            boolean silent = !answers(here, GRACE_MILLIS) && !(present.isToOneServer() && answeredAt - askedAt > 0);
            if (silent) {
                log.warn("Replaced the lock connection to " + place
                        + ": it had no answer for "
                        + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - command.sentAt())
                        + " ms, while a new connection works.");
                used = connections.replace(present, fresh);
            }
            followed.compareAndSet(command, null);
        } finally {
            here.cancel(false);
            if (!used) {
                fresh.close();
            }
        }
    }

    /** The server has become a replica. A new connection finds out where its address leads now. */
    private void leaveReplica(DedicatedConnection present) {
        DedicatedConnection fresh = open();
        if (!connections.replace(present, fresh)) {
            fresh.close();
            return;
        }
        long now = System.nanoTime();
        boolean again = now - leftReplicaAt < SAME_FAIL_OVER_NANOS;
        leftReplicaAt = now;
        if (!again) {
            log.warn("The Redis of the locks (" + place
                    + ") refuses writes (READONLY): it has become a replica. The locks reconnect until they reach the"
                    + " master.");
        }
    }

    /** In the same Cluster slot as the command, so that the probe meets the same obstacles. */
    private static byte[] probedKey(LettuceScriptCommand<?> command) {
        byte[] key = command.call().key();
        byte[] probed = Arrays.copyOf(key, key.length + PROBE.length);
        System.arraycopy(PROBE, 0, probed, key.length, PROBE.length);
        return probed;
    }

    private static CompletableFuture<Boolean> ask(DedicatedConnection link, byte[] key) {
        LettuceScriptCommand<Boolean> query =
                new LettuceScriptCommand<>(new ScriptCall<>(LockScript.LOCKED, 2, List.of(key, key)), new Probe(link));
        try {
            link.connection().dispatch(query);
        } catch (RuntimeException e) {
            query.completeExceptionally(e);
        }
        return query;
    }

    private static boolean answers(CompletableFuture<Boolean> query, long millis) {
        try {
            Await.atMost(Duration.ofMillis(millis), query);
            return true;
        } catch (ExecutionException | CancellationException e) {
            log.debug("The probe of a connection failed", e);
            return false;
        } catch (TimeoutException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }

    private record Probe(DedicatedConnection link) implements LettuceScriptCommand.Sender {

        @Override
        public void sendAgain(AsyncCommand<byte[], byte[], ?> command) {
            link.connection().dispatch(command);
        }

        @Override
        public void answered(LettuceScriptCommand<?> command, @Nullable String error) {
            // It matters only that there is an answer.
        }

        @Override
        public boolean hasReplaced(StatefulConnection<?, ?> connection) {
            return false;
        }
    }
}
