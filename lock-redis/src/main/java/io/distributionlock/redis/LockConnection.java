package io.distributionlock.redis;

import io.distributionlock.internal.Await;
import io.distributionlock.internal.DaemonThreads;
import io.distributionlock.internal.Failures;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * The connection that the commands go over: opened when it is first wanted, and replaced when it is of no use. Lettuce itself repairs one
 * that breaks; {@link ConnectionWatch} notices one that is dead without an error.
 */
final class LockConnection implements AutoCloseable {

    private static final Log log = LogFactory.getLog(LockConnection.class);

    /** Lettuce may wait a minute for a server that says nothing. Another connection may get through meanwhile. */
    private static final Duration MAX_OPENING = Duration.ofSeconds(4);

    /** The first may be lost while it is made, and the second as well. */
    private static final int MAX_UNDER_WAY = 3;

    /** How long the end waits for the connection to be closed; more than Redis needs if it answers at all. */
    static final Duration MAX_CLOSE = Duration.ofMillis(200);

    /** How long the end waits for one that is being opened, which takes longer in a cold process. */
    static final Duration MAX_LAST_OPENING = Duration.ofSeconds(1);

    private final LettuceScriptSender user;
    private final Supplier<DedicatedConnection> opener;

    /** Connecting blocks, and so does closing while Redis does not answer. */
    private final Executor blocking = DaemonThreads.each("distribution-lock-connect");

    private final AtomicReference<@Nullable DedicatedConnection> latest = new AtomicReference<>();

    /** The first connection, which commands may wait for, begins with 0. */
    private final AtomicLong epochs = new AtomicLong();

    /** Whether one is being opened because there is none. */
    private final AtomicBoolean opening = new AtomicBoolean();

    /** What is being opened. */
    private final Set<CompletableFuture<?>> underWay = ConcurrentHashMap.newKeySet();

    private volatile boolean closed;

    /** Why the last second connection could not be opened, until the present one is back. */
    private volatile @Nullable Throwable openingFailure;

    /**
     * @param user sends over the connection
     * @param opener connects; may block
     */
    LockConnection(LettuceScriptSender user, Supplier<DedicatedConnection> opener) {
        this.user = user;
        this.opener = opener;
    }

    /** The last one that was opened, which may be closed. */
    @Nullable
    DedicatedConnection latest() {
        return latest.get();
    }

    /** The one to send over, which Lettuce may be repairing; {@code null} if it has to be {@linkplain #open opened}. */
    @Nullable
    DedicatedConnection present() {
        DedicatedConnection connection = latest.get();
        return connection == null || connection.isClosed() ? null : connection;
    }

    /** The one to send over at once; {@code null} if commands have to wait. */
    @Nullable
    DedicatedConnection usable() {
        DedicatedConnection connection = present();
        return connection == null || !connection.isOpen() || connection.isFull() ? null : connection;
    }

    /** Whether Lettuce is repairing it. */
    boolean isLost() {
        DedicatedConnection connection = present();
        return connection != null && !connection.isOpen();
    }

    /**
     * Differs as soon as commands may go over another connection. Unchanged between two calls, it says that what was sent in between went
     * over one connection.
     */
    long epoch() {
        DedicatedConnection connection = latest.get();
        return connection == null ? 0 : connection.epoch();
    }

    /** Opens a connection in the background, unless there is one or that is under way. */
    void open() {
        if (closed) {
            // Elsewhere: it fails the commands of other threads too, and their claims may wait for this thread's to be
            // sent.
            blocking.execute(() -> user.notConnected(ScriptSender.closedException()));
        } else if (opening.compareAndSet(false, true)) {
            DedicatedConnection former = latest.get();
            if (present() != null) {
                opening.set(false);
                user.sendOutgoingSoon();
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
    boolean replace(@Nullable DedicatedConnection former, DedicatedConnection fresh) {
        if (former != null) {
            fresh.begin(epochs.incrementAndGet());
        }
        fresh.watch(() -> reconnected(fresh));
        if (!latest.compareAndSet(former, fresh)) {
            fresh.close();
            return false;
        }
        openingFailure = null;
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
        openingFailure = null;
        user.reconnected();
    }

    /** Why the connection does not come back, if that is known. */
    @Nullable
    Throwable openingFailure() {
        return openingFailure;
    }

    /**
     * An opening cannot be ended: one that is late is closed. So that a server that says nothing does not collect connections, another
     * one is opened only if few are under way.
     */
    DedicatedConnection openSecond() {
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

    @Override
    public void close() {
        closed = true;
        // The factory closes its client next, which would close the connection a second time, and warn of that. One
        // that is being opened would neither be established nor fail, and its socket might stay open.
        awaitAtMost(MAX_LAST_OPENING, CompletableFuture.allOf(underWay.toArray(CompletableFuture[]::new)));
        DedicatedConnection last = latest.getAndSet(null);
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
