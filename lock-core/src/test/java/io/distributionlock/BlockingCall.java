package io.distributionlock;

import io.distributionlock.integration.DistributionLockRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;

/** The calls, each with two free names or with a lease of the first. All of them leave the names free. */
enum BlockingCall {
    EXECUTE(Wait.ASKS, on -> on.locks.execute(on.name, () -> true)),
    TRY_EXECUTE(Wait.ASKS, on -> on.locks.tryExecute(on.locks.request(on.name).build(), () -> true)),
    ACQUIRE(Wait.ASKS, on -> {
        on.locks.acquire(on.name).close();
        return true;
    }),
    TRY_ACQUIRE(
            Wait.ASKS,
            on -> on.locks
                    .tryAcquire(on.locks.request(on.name).build())
                    .orElseThrow()
                    .release()),
    ATTEMPT(
            Wait.ASKS,
            on -> ((LockOutcome.Acquired)
                            on.locks.attempt(on.locks.request(on.name).build()))
                    .lease()
                    .release()),
    VIEW_LOCK(Wait.ASKS, on -> {
        on.locks.lock(on.name).lock();
        return on.unlock(on.locks.lock(on.name));
    }),
    VIEW_LOCK_INTERRUPTIBLY(Wait.ASKS, on -> {
        on.locks.lock(on.name).lockInterruptibly();
        return on.unlock(on.locks.lock(on.name));
    }),
    VIEW_TRY_LOCK(Wait.ASKS, on -> on.locks.lock(on.name).tryLock() && on.unlock(on.locks.lock(on.name))),
    VIEW_TRY_LOCK_FOR(
            Wait.ASKS, on -> on.locks.lock(on.name).tryLock(20, TimeUnit.SECONDS) && on.unlock(on.locks.lock(on.name))),
    VIEW_IS_LOCKED(Wait.ASKS, on -> on.locks.lock(on.name).isLocked()),
    WRITE_LOCK(Wait.ASKS, on -> {
        on.locks.readWriteLock(on.name).writeLock().lock();
        return on.unlock(on.locks.readWriteLock(on.name).writeLock());
    }),
    REGISTRY(Wait.ASKS, on -> {
        Lock lock = new DistributionLockRegistry(on.locks).obtain(on.name);
        lock.lock();
        return on.unlock(lock);
    }),
    MULTI_EXECUTE(Wait.ASKS, on -> on.both().execute(() -> true)),
    MULTI_TRY_EXECUTE(Wait.ASKS, on -> on.both().tryExecute(() -> true)),
    MULTI_ACQUIRE(Wait.ASKS, on -> {
        on.both().acquire().release();
        return true;
    }),

    CONFIRM(Wait.ASKS_AS_HOLDER, on -> on.held().confirm()),
    EXTEND(Wait.ASKS_AS_HOLDER, on -> on.held().extend(Duration.ofMinutes(5))),
    RELEASE(Wait.GIVES_BACK, on -> on.held().release()),
    CLOSE(Wait.GIVES_BACK, on -> {
        on.held().close();
        return true;
    }),
    MULTI_RELEASE(Wait.GIVES_BACK, on -> {
        new MultiLock.Outcome.Acquired(List.of(on.held(), on.heldBesides())).release();
        return true;
    }),

    CONFIRM_ASYNC(Wait.NEVER_AS_HOLDER, on -> on.held().confirmAsync()),
    EXTEND_ASYNC(Wait.NEVER_AS_HOLDER, on -> on.held().extendAsync(Duration.ofMinutes(5))),
    RELEASE_ASYNC(Wait.GIVES_BACK, on -> on.held().releaseAsync()),
    MULTI_RELEASE_ASYNC(
            Wait.GIVES_BACK, on -> new MultiLock.Outcome.Acquired(List.of(on.held(), on.heldBesides())).releaseAsync()),
    FORCE_RELEASE(Wait.GIVES_BACK, on -> on.locks.forceRelease(on.held().name())),
    ACQUIRE_ASYNC(
            Wait.NEVER,
            on -> on.locks
                    .acquireAsync(on.locks.request(on.name).build())
                    .thenCompose(
                            outcome -> ((LockOutcome.Acquired) outcome).lease().releaseAsync())),
    ACQUIRE_ASYNC_AND_BLOCK_IN_A_STAGE(
            Wait.NEVER,
            on -> on.locks.acquireAsync(on.locks.request(on.name).build()).thenApply(outcome -> {
                Lease lease = ((LockOutcome.Acquired) outcome).lease();
                try {
                    return lease.confirm() && lease.extend(Duration.ofMinutes(5));
                } finally {
                    lease.release();
                }
            })),
    MULTI_ATTEMPT_ASYNC(
            Wait.NEVER,
            on -> on.both()
                    .attemptAsync(LockOwner.unique())
                    .thenCompose(outcome -> ((MultiLock.Outcome.Acquired) outcome).releaseAsync()));

    /** Whether a call has to wait for an answer, and what it needs before. */
    enum Wait {
        ASKS,
        ASKS_AS_HOLDER,
        GIVES_BACK,
        NEVER_AS_HOLDER,
        NEVER;

        boolean needsLease() {
            return this != ASKS && this != NEVER;
        }

        boolean isRefusedOnEventLoops() {
            return this == ASKS || this == ASKS_AS_HOLDER;
        }
    }

    final Wait wait;
    private final Body body;

    BlockingCall(Wait wait, Body body) {
        this.wait = wait;
        this.body = body;
    }

    Object make(Target on) throws Exception {
        return body.on(on);
    }

    private interface Body {
        Object on(Target target) throws Exception;
    }

    /** What a call is made on. */
    record Target(LockTemplate locks, String name, CompletableFuture<Lease> lease, CompletableFuture<Lease> besides) {

        Lease held() {
            return lease.join();
        }

        Lease heldBesides() {
            return besides.join();
        }

        MultiLock both() {
            return MultiLock.of(
                    locks,
                    List.of(
                            locks.request(name).build(),
                            locks.request(name + ":besides").build()));
        }

        boolean unlock(Lock lock) {
            lock.unlock();
            return true;
        }
    }
}
