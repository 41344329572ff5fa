package io.distributionlock.internal;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/**
 * Waits for futures while the thread runs nothing else. {@link CompletableFuture#get()} and {@link CompletableFuture#join()} let a
 * thread of a {@link ForkJoinPool} run other tasks while it waits; such a task would re-enter the locks that the thread holds. For
 * this library and for implementers of executors.
 *
 * <p>As with {@link CompletableFuture#get()}, the pool may start another thread to compensate for the waiting one.
 *
 * @hidden
 */
@Internal
public final class Await {

    private Await() {}

    /**
     * As {@link CompletableFuture#get()}.
     *
     * @throws InterruptedException if the thread was interrupted before the future was complete; its flag is cleared
     */
    public static <T> T interruptibly(CompletableFuture<T> future) throws InterruptedException, ExecutionException {
        CompletableFuture<T> awaited = OffloadedFuture.source(future);
        if (!awaited.isDone() && !new Sleeper(awaited, true, Long.MAX_VALUE).sleep()) {
            throw new InterruptedException();
        }
        return awaited.get();
    }

    /** As {@link CompletableFuture#join()}: an interrupt neither ends the wait nor is lost; the thread's flag is set again. */
    public static <T> T uninterruptibly(CompletableFuture<T> future) {
        CompletableFuture<T> awaited = OffloadedFuture.source(future);
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
        CompletableFuture<T> awaited = OffloadedFuture.source(future);
        if (!awaited.isDone()) {
            if (!new Sleeper(awaited, true, TimeUnit.NANOSECONDS.convert(patience)).sleep()) {
                throw new InterruptedException();
            }
            if (!awaited.isDone()) {
                throw new TimeoutException();
            }
        }
        return awaited.get();
    }

    /** Whether the calling thread must never block: a Netty event loop, or a thread that Reactor marks as non-blocking. */
    public static boolean isForbidden() {
        return NonBlockingThreads.isOne(Thread.currentThread());
    }

    /**
     * Called before anything is sent: whether an answer is there already would be luck.
     *
     * @param what what the thread would wait for, as the beginning of a sentence
     * @param instead the non-blocking method to use
     * @throws IllegalStateException if the calling thread must not block
     */
    public static void requireAllowed(String what, String instead) {
        if (isForbidden()) {
            throw new IllegalStateException(what + " cannot be waited for on thread '"
                    + Thread.currentThread().getName() + "': it is an event loop and must not block. Use " + instead
                    + ", or call this on a thread that may block, such as one of Schedulers.boundedElastic().");
        }
    }

    /** One thread waiting for one future. */
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

        /** @return {@code false} if an interrupt ended the sleep */
        boolean sleep() {
            Pipeline.send();
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
                // The pool cannot compensate: it runs one thread fewer while this one sleeps.
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
