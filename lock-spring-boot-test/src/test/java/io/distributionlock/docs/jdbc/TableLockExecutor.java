package io.distributionlock.docs.jdbc;

import io.distributionlock.LockBackendException;
import io.distributionlock.LockExecutor;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import io.distributionlock.ReleaseResult;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * An example: locks in a table of a database. It keeps the contract of re-entrant locks, and is as simple as that allows: one thread does
 * all the work, so that nothing needs a lock of its own and no caller waits for JDBC, and waiters poll.
 */
public final class TableLockExecutor implements LockExecutor, AutoCloseable {

    private static final Log log = LogFactory.getLog(TableLockExecutor.class);

    private static final Duration POLL = Duration.ofMillis(10);
    private static final Duration CHECK = Duration.ofMillis(100);
    private static final Duration PLACE_IN_QUEUE = Duration.ofSeconds(1);

    private final String process = UUID.randomUUID().toString();
    private final LockTable table;
    private final ScheduledExecutorService worker =
            Executors.newSingleThreadScheduledExecutor(TableLockExecutor::daemon);
    private final Map<String, Lock> locks = new ConcurrentHashMap<>();
    private long claims;
    private long nextCheck = System.nanoTime();
    private boolean stopped;

    public TableLockExecutor(JdbcTemplate jdbc) {
        this.table = new LockTable(jdbc, process);
        worker.scheduleWithFixedDelay(this::tick, POLL.toMillis(), POLL.toMillis(), TimeUnit.MILLISECONDS);
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "table-locks");
        thread.setDaemon(true);
        return thread;
    }

    /** What this process knows about one name. Only the worker changes it. */
    private static final class Lock {
        private final Queue<Waiter> waiters = new ArrayDeque<>();
        private volatile @Nullable Ownership ownership;
        private boolean inQueue;
    }

    private record Waiter(LockRequest request, LockOwner owner, long start, CompletableFuture<LockOutcome> outcome) {

        Duration waited() {
            return Duration.ofNanos(System.nanoTime() - start);
        }
    }

    @Override
    public CompletableFuture<LockOutcome> acquire(LockRequest request, LockOwner owner) {
        if (!kinds().contains(request.kind())) {
            return CompletableFuture.failedFuture(
                    new IllegalArgumentException("This executor has only locks of " + kinds() + "."));
        }
        Waiter waiter = new Waiter(request, owner, System.nanoTime(), new CompletableFuture<>());
        onWorker(() -> begin(waiter)).exceptionally(failure -> fail(waiter, failure));
        return waiter.outcome;
    }

    private boolean begin(Waiter waiter) {
        if (stopped) {
            return fail(waiter, new IllegalStateException("The executor was stopped."));
        }
        Lock lock = locks.computeIfAbsent(waiter.request.name(), name -> new Lock());
        Ownership ownership = lock.ownership;
        boolean isHolder = ownership != null && ownership.holdsOf(waiter.owner) > 0;
        if (isHolder && waiter.request.refuseReentry()) {
            waiter.outcome.complete(new LockOutcome.Busy(waiter.waited(), true));
        } else if (ownership != null && isHolder && extend(ownership, waiter.request.leaseTime())) {
            grant(ownership, waiter);
        } else {
            lock.waiters.add(waiter);
            serve(waiter.request.name(), lock);
        }
        return true;
    }

    /** Serves the waiters of this process in their order. Their process waits its turn among the others. */
    private void serve(String name, Lock lock) {
        lock.waiters.removeIf(waiter -> waiter.outcome.isDone());
        while (lock.ownership == null && !lock.waiters.isEmpty()) {
            Waiter first = lock.waiters.element();
            String claim = process + "/" + ++claims;
            // Before the statement: this process must take the lease for over no later than the database does.
            long sent = System.nanoTime();
            OptionalLong token = table.acquire(name, claim, first.request.leaseTime());
            if (token.isEmpty()) {
                break;
            }
            lock.waiters.remove();
            Ownership ownership = new Ownership(name, claim, first.owner, token.getAsLong());
            ownership.lastUntil(sent + first.request.leaseTime().toNanos());
            lock.ownership = ownership;
            grant(ownership, first);
        }
        lock.waiters.removeIf(waiter -> {
            Duration waited = waiter.waited();
            return waited.compareTo(waiter.request.tryLockTime()) >= 0
                    && waiter.outcome.complete(new LockOutcome.Busy(waited));
        });
        keepPlace(name, lock);
        if (lock.ownership == null && lock.waiters.isEmpty()) {
            locks.remove(name);
        }
    }

    private void keepPlace(String name, Lock lock) {
        if (lock.ownership == null && !lock.waiters.isEmpty()) {
            table.queueUp(name, PLACE_IN_QUEUE);
            lock.inQueue = true;
        } else if (lock.inQueue) {
            table.leaveQueue(name);
            lock.inQueue = false;
        }
    }

    private void grant(Ownership ownership, Waiter waiter) {
        TableLease lease = new TableLease(this, ownership, waiter.request);
        ownership.add(lease);
        if (!waiter.outcome.complete(new LockOutcome.Acquired(lease))) {
            // Cancelled meanwhile: the attempt must leave nothing.
            release(lease);
        }
    }

    private static boolean fail(Waiter waiter, Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return waiter.outcome.complete(new LockOutcome.BackendFailed(waiter.waited(), cause));
    }

    ReleaseResult release(TableLease lease) {
        Ownership ownership = lease.ownership();
        if (!lease.markReleased()) {
            return ReleaseResult.ALREADY_RELEASED;
        }
        boolean valid = ownership.isValid();
        ownership.remove(lease);
        if (!valid) {
            return ReleaseResult.LOST;
        }
        if (!ownership.isEmpty()) {
            return ReleaseResult.STILL_HELD;
        }
        try {
            boolean released = table.release(ownership.name(), ownership.claim(), ownership.minimumLeft());
            return released ? ReleaseResult.RELEASED : ReleaseResult.LOST;
        } catch (DataAccessException e) {
            // No longer renewed, the lease expires by itself.
            return ReleaseResult.UNCONFIRMED;
        } finally {
            end(ownership);
        }
    }

    /** Makes the lock last at least this long from now. */
    boolean extend(Ownership ownership, Duration time) {
        long until = System.nanoTime() + time.toNanos();
        if (!ownership.isValid()) {
            return false;
        }
        if (until > ownership.until()) {
            if (!table.extend(ownership.name(), ownership.claim(), time)) {
                lose(ownership);
                return false;
            }
            ownership.lastUntil(until);
        }
        return true;
    }

    boolean confirm(Ownership ownership) {
        if (ownership.isValid() && !table.claims().contains(ownership.claim())) {
            lose(ownership);
        }
        return ownership.isValid();
    }

    private void lose(Ownership ownership) {
        ownership.lose();
        end(ownership);
    }

    private void end(Ownership ownership) {
        Lock lock = locks.get(ownership.name());
        if (lock != null && lock.ownership == ownership) {
            lock.ownership = null;
            // The next tick would serve them, too.
            worker.execute(this::serveAll);
        }
    }

    private void tick() {
        try {
            boolean check = System.nanoTime() - nextCheck >= 0;
            Set<String> held = check && !locks.isEmpty() ? table.claims() : Set.of();
            nextCheck = check ? System.nanoTime() + CHECK.toNanos() : nextCheck;
            for (Lock lock : locks.values()) {
                Ownership ownership = lock.ownership;
                if (ownership != null) {
                    keep(ownership, !check || held.contains(ownership.claim()));
                }
            }
        } catch (RuntimeException e) {
            log.warn("Leases could not be renewed, and will be with the next statement that succeeds", e);
        }
        serveAll();
    }

    private void keep(Ownership ownership, boolean held) {
        if (!held || !ownership.isValid()) {
            lose(ownership);
        } else if (ownership.isPastMaximum()) {
            table.release(ownership.name(), ownership.claim(), Duration.ZERO);
            lose(ownership);
        } else if (ownership.wantsRenewal()) {
            extend(ownership, ownership.renewedLease());
        }
    }

    private void serveAll() {
        locks.forEach((name, lock) -> {
            try {
                serve(name, lock);
            } catch (DataAccessException e) {
                lock.waiters.forEach(waiter -> fail(waiter, e));
            }
        });
    }

    @Override
    public int holdCount(String name, LockOwner owner) {
        Lock lock = locks.get(name);
        Ownership ownership = lock == null ? null : lock.ownership;
        return ownership == null ? 0 : ownership.holdsOf(owner);
    }

    @Override
    public CompletableFuture<Boolean> isLocked(String name) {
        return ask(name, () -> table.isLocked(name));
    }

    @Override
    public CompletableFuture<Boolean> forceRelease(String name) {
        return ask(name, () -> table.forceRelease(name));
    }

    private CompletableFuture<Boolean> ask(String name, Supplier<Boolean> question) {
        long start = System.nanoTime();
        return onWorker(() -> {
            try {
                return question.get();
            } catch (DataAccessException e) {
                throw new LockBackendException(name, Duration.ofNanos(System.nanoTime() - start), e);
            }
        });
    }

    /** What fails on the worker, fails the future. */
    <T> CompletableFuture<T> onWorker(Supplier<T> work) {
        try {
            return CompletableFuture.supplyAsync(work, worker);
        } catch (RejectedExecutionException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @Override
    public void start() {
        onWorker(() -> stopped = false).join();
    }

    @Override
    public void stop(Duration timeout) {
        onWorker(() -> {
                    stopped = true;
                    locks.values()
                            .forEach(lock -> lock.waiters.forEach(
                                    waiter -> fail(waiter, new IllegalStateException("The executor was stopped."))));
                    return null;
                })
                .join();
        long end = System.nanoTime() + timeout.toNanos();
        while (System.nanoTime() < end && locks.values().stream().anyMatch(lock -> lock.ownership != null)) {
            try {
                Thread.sleep(POLL.toMillis());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                break;
            }
        }
        onWorker(() -> {
                    releaseAll();
                    return null;
                })
                .join();
    }

    private void releaseAll() {
        for (Lock lock : locks.values()) {
            Ownership ownership = lock.ownership;
            if (ownership != null) {
                try {
                    table.release(ownership.name(), ownership.claim(), ownership.minimumLeft());
                } catch (DataAccessException e) {
                    log.warn("Lock '" + ownership.name() + "' could not be released. It expires by itself.", e);
                }
                lose(ownership);
            }
        }
        serveAll();
    }

    /** Spring calls it when the application ends. */
    @Override
    public void close() {
        if (!worker.isShutdown()) {
            stop(Duration.ZERO);
            worker.shutdown();
        }
    }
}
