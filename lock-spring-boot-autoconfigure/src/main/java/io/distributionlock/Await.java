package io.distributionlock;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/**
 * Waits for futures as a lock has to: the thread sleeps and runs nothing else meanwhile. {@link CompletableFuture#get()} and
 * {@link CompletableFuture#join()} let a thread of a {@link ForkJoinPool} run other tasks while it waits; in one of these the
 * thread would enter the locks again that it holds for its own work. For this library and for implementers of
 * {@link LockExecutor}.
 *
 * <p>The pool of a waiting thread may run another thread in its place, as with {@link CompletableFuture#get()}.
 */
public final class Await {

    private Await() {}

    /**
     * As {@link CompletableFuture#get()}.
     *
     * @throws InterruptedException if the thread was interrupted before the future was complete; its flag is cleared
     */
    public static <T> T interruptibly(CompletableFuture<T> future) throws InterruptedException, ExecutionException {
        CompletableFuture<T> awaited = HandedOver.source(future);
        if (!awaited.isDone() && !new Sleeper(awaited, true, Long.MAX_VALUE).sleep()) {
            throw new InterruptedException();
        }
        return awaited.get();
    }

    /** As {@link CompletableFuture#join()}: an interrupt neither ends the wait nor is lost; the thread's flag is set again. */
    public static <T> T uninterruptibly(CompletableFuture<T> future) {
        CompletableFuture<T> awaited = HandedOver.source(future);
        if (!awaited.isDone()) {
            new Sleeper(awaited, false, Long.MAX_VALUE).sleep();
        }
        return awaited.join();
    }

    /**
     * As {@link CompletableFuture#get(long, java.util.concurrent.TimeUnit)}.
     *
     * @throws InterruptedException if the thread was interrupted before the future was complete; its flag is cleared
     */
    public static <T> T atMost(Duration patience, CompletableFuture<T> future)
            throws InterruptedException, ExecutionException, TimeoutException {
        CompletableFuture<T> awaited = HandedOver.source(future);
        if (!awaited.isDone()) {
            if (!new Sleeper(awaited, true, patience.toNanos()).sleep()) {
                throw new InterruptedException();
            }
            if (!awaited.isDone()) {
                throw new TimeoutException();
            }
        }
        return awaited.get();
    }

    /**
     * Whether the calling thread is one that others depend on, so that it must never wait: an event loop of Netty, which may be
     * the one that brings the answer, or a thread that Reactor has marked so.
     */
    public static boolean isForbidden() {
        return EventLoops.isOne(Thread.currentThread());
    }

    /**
     * @param what what would be waited for, as the beginning of a sentence
     * @param instead what to call that does not wait
     * @throws IllegalStateException if the future is not complete yet, and the calling thread must not wait
     */
    public static void requireAllowed(CompletableFuture<?> future, String what, String instead) {
        if (!future.isDone() && isForbidden()) {
            throw new IllegalStateException(what + " cannot be waited for on thread '"
                    + Thread.currentThread().getName()
                    + "': it is an event loop, which others depend on, and perhaps the answer itself. Use " + instead
                    + ", or call this on a thread that may block, such as one of Schedulers.boundedElastic().");
        }
    }

    /** One thread that waits for one future. */
    private static final class Sleeper implements ForkJoinPool.ManagedBlocker {

        private final CompletableFuture<?> future;
        private final boolean interruptible;
        private final long patience;
        private final long start = System.nanoTime();
        private boolean interrupted;

        Sleeper(CompletableFuture<?> future, boolean interruptible, long patience) {
            this.future = future;
            this.interruptible = interruptible;
            this.patience = patience;
        }

        /** @return {@code false} if an interrupt has ended the sleep */
        boolean sleep() {
            Thread sleeper = Thread.currentThread();
            future.whenComplete((result, failure) -> LockSupport.unpark(sleeper));
            if (sleeper instanceof ForkJoinWorkerThread) {
                sleepReplaced();
            } else {
                block();
            }
            boolean ended = interrupted && interruptible && !future.isDone();
            if (interrupted && !ended) {
                sleeper.interrupt();
            }
            return !ended;
        }

        private void sleepReplaced() {
            try {
                ForkJoinPool.managedBlock(this);
            } catch (InterruptedException e) {
                interrupted = true;
            } catch (RejectedExecutionException e) {
                // The pool has no further thread; then there is one less while this one sleeps.
                block();
            }
        }

        @Override
        public boolean isReleasable() {
            return future.isDone() || (interrupted && interruptible) || patience <= System.nanoTime() - start;
        }

        @Override
        public boolean block() {
            while (!isReleasable()) {
                if (Thread.interrupted()) {
                    interrupted = true;
                } else if (patience == Long.MAX_VALUE) {
                    LockSupport.park(this);
                } else {
                    LockSupport.parkNanos(this, patience - (System.nanoTime() - start));
                }
            }
            return true;
        }
    }
}
