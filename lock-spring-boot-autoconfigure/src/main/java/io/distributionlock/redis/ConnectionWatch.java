package io.distributionlock.redis;

import io.distributionlock.Await;
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
 * Finds out that a connection leads nowhere although nobody said so: its packets vanish, it never comes about, or it leads to a
 * master that has become a replica.
 *
 * <p>It follows one call at a time, the first that is sent when there is none to follow. Without an answer for a while, another
 * connection is made. If that one answers while the present one stays silent, it takes its place; if Redis itself is silent,
 * neither answers, and everything stays. Nothing is asked and no thread is needed while nobody uses the locks.
 */
final class ConnectionWatch implements AutoCloseable {

    private static final Log log = LogFactory.getLog(ConnectionWatch.class);

    private static final long TICK_MILLIS = 500;

    /** How long one may stay silent beside another that answers: both are served by the same Redis. */
    private static final long GRACE_MILLIS = 1_000;

    private static final long LONGEST_PROBE_MILLIS = 2_000;
    private static final long FIRST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long LONGEST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(4);

    /** When nothing was sent for so long, it does not matter any more. */
    private static final long IN_USE_NANOS = TimeUnit.SECONDS.toNanos(15);

    private static final long SAME_FAIL_OVER_NANOS = TimeUnit.MINUTES.toNanos(1);

    private static final byte[] PROBE = ":probe".getBytes(StandardCharsets.US_ASCII);

    /** What is watched. */
    interface Connections {

        @Nullable
        LettuceLink present();

        /** Blocks. */
        LettuceLink open();

        /** @return {@code false} if the former is not the present one any more, or all is closed */
        boolean replace(@Nullable LettuceLink former, LettuceLink fresh);

        /** Whether calls wait that could not be sent for so long. */
        boolean haveWaited(long nanos);
    }

    private final Connections connections;
    private final String place;
    private final long patienceNanos;
    private final ScheduledThreadPoolExecutor thread = DaemonThreads.timer("distribution-lock-watch");
    private final AtomicReference<@Nullable LettuceScriptCommand<?>> followed = new AtomicReference<>();
    private final AtomicBoolean armed = new AtomicBoolean();
    private volatile long usedAt;
    private volatile long answeredAt;
    private volatile boolean readOnly;

    // Only used on the thread.
    private long pauseNanos = FIRST_PAUSE_NANOS;
    private long nextLookAt = System.nanoTime();
    private long leftReplicaAt = System.nanoTime() - SAME_FAIL_OVER_NANOS;

    /**
     * @param place where the connections lead to, for the log
     * @param patienceMillis how long an answer may take
     */
    ConnectionWatch(Connections connections, String place, long patienceMillis) {
        this.connections = connections;
        this.place = place;
        this.patienceNanos = TimeUnit.MILLISECONDS.toNanos(patienceMillis);
    }

    /** To be called before it is sent. */
    void sending(LettuceScriptCommand<?> command) {
        if (followed.get() == null) {
            followed.compareAndSet(null, command);
        }
        used();
    }

    /** A call is sent, or waits to be. */
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
        if (error != null && Refusals.saysReadOnly(error)) {
            readOnly = true;
        }
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
            look();
        } catch (RuntimeException | Error e) {
            log.debug("The connection of the locks to " + place + " could not be looked at", e);
        } finally {
            armed.set(false);
        }
        if ((followed.get() != null || readOnly || connections.haveWaited(0))
                && System.nanoTime() - usedAt < IN_USE_NANOS) {
            arm();
        }
    }

    private void look() {
        long now = System.nanoTime();
        LettuceScriptCommand<?> command = followed.get();
        boolean silent = command != null && now - command.sentAt() >= patienceNanos;
        boolean wait = connections.haveWaited(patienceNanos);
        if (!silent && !wait && !readOnly) {
            pauseNanos = FIRST_PAUSE_NANOS;
            return;
        }
        if (now - nextLookAt < 0) {
            return;
        }
        readOnly = false;
        try {
            LettuceLink present = connections.present();
            if (wait) {
                connectAnew(present);
            } else if (silent && command != null) {
                compare(present, command);
            } else if (present != null && present.isToOneServer()) {
                leave(present);
            }
        } finally {
            nextLookAt = System.nanoTime() + pauseNanos;
            pauseNanos = Math.min(2 * pauseNanos, LONGEST_PAUSE_NANOS);
        }
    }

    /** Calls wait for a connection that does not come about, or not again. */
    private void connectAnew(@Nullable LettuceLink present) {
        LettuceLink fresh = connections.open();
        boolean used = false;
        try {
            // While this one was made, the other may have come about.
            used = connections.haveWaited(patienceNanos) && connections.replace(present, fresh);
        } finally {
            if (!used) {
                fresh.close();
            }
        }
        if (used) {
            log.debug("A further attempt to connect the locks to " + place + " succeeded before the first");
        }
    }

    private void compare(@Nullable LettuceLink present, LettuceScriptCommand<?> command) {
        if (present == null || present.connection() != command.sentOver()) {
            followed.compareAndSet(command, null);
            return;
        }
        byte[] key = probedKey(command);
        long askedAt = System.nanoTime();
        CompletableFuture<Boolean> here = ask(present, key);
        LettuceLink fresh = connections.open();
        boolean used = false;
        try {
            if (!answers(ask(fresh, key), LONGEST_PROBE_MILLIS)) {
                return;
            }
            boolean silent = !answers(here, GRACE_MILLIS) && !(present.isToOneServer() && answeredAt - askedAt > 0);
            if (silent) {
                log.warn("The connection of the locks to " + place
                        + " was given up: it had no answer for "
                        + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - command.sentAt())
                        + " ms, and a new one has. The locks go on over the new one.");
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

    /** A replica stays one for all that are connected to it; where its address leads to now, a new connection finds out. */
    private void leave(LettuceLink present) {
        LettuceLink fresh = connections.open();
        if (!connections.replace(present, fresh)) {
            fresh.close();
            return;
        }
        long now = System.nanoTime();
        boolean again = now - leftReplicaAt < SAME_FAIL_OVER_NANOS;
        leftReplicaAt = now;
        if (!again) {
            log.warn("The Redis to which the locks are connected (" + place
                    + ") takes no writes (READONLY): it has become a replica. The locks connect anew, until they find"
                    + " the master.");
        }
    }

    /** Of the same node of a Cluster, and held up by whatever holds up what was sent. */
    private static byte[] probedKey(LettuceScriptCommand<?> command) {
        byte[] key = command.call().parameters().get(0);
        byte[] probed = Arrays.copyOf(key, key.length + PROBE.length);
        System.arraycopy(PROBE, 0, probed, key.length, PROBE.length);
        return probed;
    }

    private static CompletableFuture<Boolean> ask(LettuceLink link, byte[] key) {
        LettuceScriptCommand<Boolean> question =
                new LettuceScriptCommand<>(new ScriptCall<>(LockScript.LOCKED, 2, List.of(key, key)), new Probe(link));
        try {
            link.connection().dispatch(question);
        } catch (RuntimeException e) {
            question.completeExceptionally(e);
        }
        return question;
    }

    private static boolean answers(CompletableFuture<Boolean> question, long millis) {
        try {
            Await.atMost(Duration.ofMillis(millis), question);
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

    private record Probe(LettuceLink link) implements LettuceScriptCommand.Way {

        @Override
        public void sendAgain(AsyncCommand<byte[], byte[], ?> command) {
            link.connection().dispatch(command);
        }

        @Override
        public void answered(LettuceScriptCommand<?> command, @Nullable String error) {
            // Only whether it is answered matters.
        }

        @Override
        public boolean hasGivenUp(StatefulConnection<?, ?> connection) {
            return false;
        }
    }
}
