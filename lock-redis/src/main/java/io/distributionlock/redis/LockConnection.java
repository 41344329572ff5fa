package io.distributionlock.redis;

import io.distributionlock.internal.Await;
import io.distributionlock.internal.DaemonThreads;
import io.distributionlock.internal.Failures;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.ByteArrayOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * The connection that the commands go over: opened when it is first wanted, and replaced when it is of no use.
 *
 * <p>Lettuce itself repairs a connection that breaks. It does not notice one that is dead without an error: its packets are lost, it is
 * never established, or it leads to a master that has become a replica. So one command at a time is followed. If that has no answer for
 * a while, a second connection is opened, and both are asked the same question. If only the second answers, it replaces the first, whose
 * commands fail and are repeated by the engine. If neither answers, Redis itself is silent. Then so many more commands are sent that what
 * is under way can be released, since answers may be all that is lost. The others wait: they would pile up here and in Redis, even if they
 * are cancelled. While no locks are used, this sends nothing and has no thread.
 */
final class LockConnection implements AutoCloseable {

    private static final Log log = LogFactory.getLog(LockConnection.class);

    private static final long TICK_MILLIS = 500;
    private static final Duration MAX_PROBE = Duration.ofSeconds(2);

    /** How long the present connection may stay silent once the second has answered: the same Redis serves both. */
    private static final Duration GRACE = Duration.ofSeconds(1);

    /** Lettuce may wait a minute for a server that says nothing. Another connection may get through meanwhile. */
    private static final Duration MAX_OPENING = Duration.ofSeconds(4);

    /** The first may be lost while it is made, and the second as well. */
    private static final int MAX_UNDER_WAY = 3;

    /** How long the end waits for the connection to be closed; more than Redis needs if it answers at all. */
    static final Duration MAX_CLOSE = Duration.ofMillis(200);

    /** How long the end waits for one that is being opened, which takes longer in a cold process. */
    static final Duration MAX_LAST_OPENING = Duration.ofSeconds(1);

    /** How many commands are sent to a server that is silent. */
    private static final int MAX_IN_SILENCE = 1_000;

    private static final long BETWEEN_CHECKS_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long SAME_FAIL_OVER_NANOS = TimeUnit.MINUTES.toNanos(1);

    private record Followed(LettuceScriptCommand<?> command, long since) {}

    private final LettuceScriptSender user;
    private final Supplier<DedicatedConnection> opener;
    private final String endpoint;
    private final long timeoutNanos;
    private final ScheduledThreadPoolExecutor watch = DaemonThreads.timer("distribution-lock-watch");

    /** Connecting blocks, and so does closing while Redis does not answer. */
    private final Executor blocking = DaemonThreads.each("distribution-lock-connect");

    /** The latest connection, which may be closed; see {@link #present()}. */
    private final AtomicReference<@Nullable DedicatedConnection> present = new AtomicReference<>();
    /** The first connection, which commands may wait for, begins with 0. */
    private final AtomicLong epochs = new AtomicLong();

    private final AtomicBoolean opening = new AtomicBoolean();

    /** The connection that is being opened. */
    private final Set<CompletableFuture<?>> underWay = ConcurrentHashMap.newKeySet();

    private final AtomicReference<@Nullable Followed> followed = new AtomicReference<>();
    private final AtomicBoolean watching = new AtomicBoolean();
    /** 0 before the first answer. */
    private volatile long answeredAt;

    /** Whether the present connection, to one server, has had no answer for a while. */
    private volatile boolean silent;

    /** How many commands were sent since then. */
    private final AtomicInteger sentInSilence = new AtomicInteger();

    private volatile boolean readOnly;
    private volatile boolean closed;

    /** Why the last second connection could not be opened, until the present one is back. */
    private volatile @Nullable Throwable openingFailure;

    // Used only on the thread that watches.
    private long nextCheckAt = System.nanoTime();
    private long leftReplicaAt = System.nanoTime() - SAME_FAIL_OVER_NANOS;

    /**
     * @param user sends over the connection
     * @param opener connects; may block
     * @param endpoint the server, for the log
     * @param timeoutMillis how long an answer may take before the connection is checked
     */
    LockConnection(
            LettuceScriptSender user, Supplier<DedicatedConnection> opener, String endpoint, long timeoutMillis) {
        this.user = user;
        this.opener = opener;
        this.endpoint = endpoint;
        this.timeoutNanos = TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    }

    /** The one to send over, which Lettuce may be repairing; {@code null} if it has to be {@linkplain #open opened}. */
    @Nullable
    DedicatedConnection present() {
        DedicatedConnection connection = present.get();
        return connection == null || connection.isClosed() ? null : connection;
    }

    /** The one to send over at once; {@code null} if commands have to wait. */
    @Nullable
    DedicatedConnection usable() {
        DedicatedConnection connection = present();
        boolean isFull = silent && sentInSilence.get() >= MAX_IN_SILENCE;
        return connection == null || !connection.isOpen() || isFull ? null : connection;
    }

    /** Notes that commands were sent. */
    void sent(int commands) {
        if (silent) {
            sentInSilence.addAndGet(commands);
        }
    }

    /**
     * Differs as soon as commands may go over another connection. Unchanged between two calls, it says that what was sent in between went
     * over one connection.
     */
    long epoch() {
        DedicatedConnection connection = present.get();
        return connection == null ? 0 : connection.epoch();
    }

    /** Whether an answer has ever come. */
    boolean hasAnswered() {
        return answeredAt != 0;
    }

    /** Opens a connection in the background, unless there is one or that is under way. */
    void open() {
        if (closed) {
            // Elsewhere: it fails the commands of other threads too, and their claims may wait for this thread's to be
            // sent.
            blocking.execute(() -> user.notConnected(ScriptSender.closedException()));
        } else if (opening.compareAndSet(false, true)) {
            DedicatedConnection former = present.get();
            if (present() != null) {
                opening.set(false);
                user.connected();
                return;
            }
            inBackground().whenComplete((fresh, failure) -> {
                opening.set(false);
                if (fresh != null) {
                    replace(former, fresh);
                } else if (present() == null) {
                    user.notConnected(Failures.unwrapped(failure));
                }
            });
        }
    }

    private CompletableFuture<DedicatedConnection> inBackground() {
        CompletableFuture<Void> start = new CompletableFuture<>();
        // Fails if there is no thread to be had.
        CompletableFuture<DedicatedConnection> fresh = start.thenApplyAsync(unused -> opened(), blocking);
        underWay.add(fresh);
        fresh.whenComplete((connection, failure) -> underWay.remove(fresh));
        // Not earlier: either it finds this closed, or the end waits for it.
        start.complete(null);
        return fresh;
    }

    private DedicatedConnection opened() {
        if (closed) {
            // A client that is shut down meanwhile may never answer.
            throw ScriptSender.closedException();
        }
        return opener.get();
    }

    /** The new connection is closed if the former is no longer the present one. */
    private boolean replace(@Nullable DedicatedConnection former, DedicatedConnection fresh) {
        if (former != null) {
            fresh.begin(epochs.incrementAndGet());
        }
        fresh.watch(() -> reconnected(fresh));
        if (!present.compareAndSet(former, fresh)) {
            fresh.close();
            return false;
        }
        beginAnew();
        if (former != null) {
            user.reconnected();
            former.giveUp();
        }
        user.connected();
        if (closed) {
            close();
        }
        return true;
    }

    private void reconnected(DedicatedConnection connection) {
        connection.begin(epochs.incrementAndGet());
        beginAnew();
        user.reconnected();
    }

    /** Why the connection does not come back, if that is known. */
    @Nullable
    Throwable openingFailure() {
        return openingFailure;
    }

    private void beginAnew() {
        openingFailure = null;
        followed.set(null);
        forgetSilence();
    }

    // ------------------------------------------------------------------ whether it is dead

    /** Called before the command is sent, or kept until there is a connection. */
    void sending(LettuceScriptCommand<?> command) {
        if (followed.get() == null) {
            followed.compareAndSet(null, new Followed(command, System.nanoTime()));
        }
        if (!watching.get()) {
            watch();
        }
    }

    /** Called on the event loop, with each answer. */
    void answered(LettuceScriptCommand<?> command, @Nullable String error) {
        answeredAt = System.nanoTime();
        Followed oldest = followed.get();
        if (oldest != null && oldest.command() == command) {
            followed.compareAndSet(oldest, null);
        }
        endSilence();
        if (error != null && RetryableErrors.saysReadOnly(error)) {
            readOnly = true;
        }
    }

    private void forgetSilence() {
        silent = false;
        sentInSilence.set(0);
    }

    private void endSilence() {
        if (silent) {
            forgetSilence();
            user.sendOutgoingSoon();
        }
    }

    private void watch() {
        if (watching.compareAndSet(false, true)) {
            try {
                watch.schedule(this::tick, TICK_MILLIS, TimeUnit.MILLISECONDS);
            } catch (RejectedExecutionException e) {
                log.debug("Closed", e);
            }
        }
    }

    private void tick() {
        try {
            Followed oldest = followed.get();
            long now = System.nanoTime();
            // That a connection is lost is known at once, but not why.
            boolean late = oldest != null && (isLost() || now - oldest.since() >= timeoutNanos);
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

    private boolean isLost() {
        DedicatedConnection connection = present();
        return connection != null && !connection.isOpen();
    }

    private void check(@Nullable Followed unanswered) {
        DedicatedConnection former = present.get();
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
        if (!replace(former, openSecond())) {
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
        long askedAt = System.nanoTime();
        if (former != null && open && former.isToOneServer() && answeredAt - unanswered.since() <= 0) {
            silent = true;
        }
        // Lettuce would keep what it is asked over a lost connection until Redis is back, however long that takes.
        CompletableFuture<?> first = former != null && open ? ask(former, key) : new CompletableFuture<>();
        // Not only while this waits: it may be all that Redis has to answer.
        first.whenComplete((reply, failure) -> {
            if (failure == null || RedisErrorExplanations.isReply(failure)) {
                endSilence();
            }
        });
        if (present.get() != former) {
            // Another one has taken its place, which is not known to be silent.
            endSilence();
        }
        DedicatedConnection second = openSecond();
        boolean onlyTheSecond = answers(ask(second, key), MAX_PROBE)
                && (former == null || !former.isOpen() || !isAlive(former, open ? first : ask(former, key), askedAt));
        if (!onlyTheSecond) {
            second.close();
        } else if (replace(former, second) && open) {
            log.warn("Replaced the lock connection to " + endpoint + ": it had no answer for "
                    + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - unanswered.since())
                    + " ms, while a new connection works.");
        }
    }

    /** The question may be behind many commands: any answer of the same server will do. */
    private boolean isAlive(DedicatedConnection former, CompletableFuture<?> question, long askedAt) {
        return answers(question, GRACE) || former.isToOneServer() && answeredAt - askedAt > 0;
    }

    /**
     * An opening cannot be ended: one that is late is closed. So that a server that says nothing does not collect connections, another
     * one is opened only if few are under way.
     */
    private DedicatedConnection openSecond() {
        if (underWay.size() >= MAX_UNDER_WAY) {
            throw new IllegalStateException("No connection that is being opened is established");
        }
        CompletableFuture<DedicatedConnection> second = inBackground();
        second.whenComplete((connection, failure) -> {
            // However late: it says why the present one does not come back.
            if (failure != null && isLost()) {
                openingFailure = Failures.unwrapped(failure);
            }
        });
        try {
            return Await.atMost(MAX_OPENING, second);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            second.thenAccept(DedicatedConnection::close);
            throw new IllegalStateException("No second connection", e);
        }
    }

    /**
     * Asks by a script, which meets the same difficulties as the commands; for the same key, so that the same node of a Cluster answers. It
     * lacks its other keys and its verb, so it changes nothing; the error that says so is an answer.
     */
    private static CompletableFuture<?> ask(DedicatedConnection connection, byte[] key) {
        CommandArgs<byte[], byte[]> arguments = new CommandArgs<>(ByteArrayCodec.INSTANCE);
        arguments.add(LockScript.LOCK.sha1()).add(1).addKey(key);
        AsyncCommand<byte[], byte[], byte[]> question = new AsyncCommand<>(
                new Command<>(CommandType.EVALSHA, new ByteArrayOutput<>(ByteArrayCodec.INSTANCE), arguments));
        connection.dispatch(question);
        return question;
    }

    /** What Redis says does not matter: that it does not know the script, for instance. */
    private static boolean answers(CompletableFuture<?> question, Duration patience) {
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
        closed = true;
        watch.shutdownNow();
        // The factory closes its client next, which would close the connection a second time, and warn of that. One
        // that is being opened would neither be established nor fail, and its socket might stay open.
        awaitAtMost(MAX_LAST_OPENING, CompletableFuture.allOf(underWay.toArray(CompletableFuture[]::new)));
        DedicatedConnection last = present.getAndSet(null);
        if (last != null) {
            awaitAtMost(MAX_CLOSE, CompletableFuture.runAsync(last::close, blocking));
        }
    }

    private static void awaitAtMost(Duration patience, CompletableFuture<?> end) {
        if (Await.isForbidden()) {
            return;
        }
        try {
            Await.atMost(patience, end);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            log.debug("It has failed, or has not ended yet", e);
        }
    }
}
