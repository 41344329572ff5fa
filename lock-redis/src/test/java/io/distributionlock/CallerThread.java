package io.distributionlock;

import static org.awaitility.Awaitility.await;

import io.netty.channel.EventLoop;
import io.netty.util.internal.ThreadExecutorMap;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import reactor.core.scheduler.Schedulers;

/** The threads that a call may come on. */
enum CallerThread {
    ORDINARY {
        @Override
        void run(Backends backends, BackendKind backend, Runnable task) {
            Thread thread = new Thread(task, "ordinary");
            thread.setDaemon(true);
            thread.start();
        }
    },
    VIRTUAL {
        @Override
        boolean isThere() {
            return Runtime.version().feature() >= 21;
        }

        @Override
        void run(Backends backends, BackendKind backend, Runnable task) {
            try {
                Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, task);
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
        }
    },
    COMMON_POOL {
        @Override
        void run(Backends backends, BackendKind backend, Runnable task) {
            besideOthers(ForkJoinPool.commonPool(), task);
        }
    },
    POOL_OF_FOUR {
        @Override
        void run(Backends backends, BackendKind backend, Runnable task) {
            besideOthers(FOUR, task);
        }
    },
    LISTENER_OF_A_LOSS {
        @Override
        void run(Backends backends, BackendKind backend, Runnable task) {
            LockTemplate locks = backends.locks(backend);
            String name = "lost:" + NUMBER.incrementAndGet();
            locks.acquire(name).onLost(lost -> task.run());
            locks.forceRelease(name).join();
        }
    },
    STAGE_OF_ANOTHER_LOCK {
        @Override
        void run(Backends backends, BackendKind backend, Runnable task) {
            LockTemplate locks = backends.locks(backend);
            String name = "other:" + NUMBER.incrementAndGet();
            Lease held = locks.acquire(name);
            locks.acquireAsync(locks.request(name).build()).thenRun(task);
            held.release();
        }
    },
    INSIDE_ANOTHER_LOCK {
        @Override
        void run(Backends backends, BackendKind backend, Runnable task) {
            LockTemplate locks = backends.locks(backend);
            ORDINARY.run(
                    backends,
                    backend,
                    () -> locks.execute("around:" + NUMBER.incrementAndGet(), () -> {
                        task.run();
                        return true;
                    }));
        }
    },
    REACTOR {
        @Override
        boolean mayWait() {
            return false;
        }

        @Override
        void run(Backends backends, BackendKind backend, Runnable task) {
            Schedulers.parallel().schedule(task);
        }
    },
    EVENT_LOOP_OF_THE_LOCKS {
        @Override
        boolean mayWait() {
            return false;
        }

        @Override
        void run(Backends backends, BackendKind backend, Runnable task) {
            eventLoop(backends.executor(BackendKind.REDIS)).execute(task);
        }
    };

    private static final ForkJoinPool FOUR = new ForkJoinPool(4);
    private static final AtomicLong NUMBER = new AtomicLong();

    /** Whether this JDK has such threads. */
    boolean isThere() {
        return true;
    }

    boolean mayWait() {
        return true;
    }

    abstract void run(Backends backends, BackendKind backend, Runnable task);

    /** Asynchronous tasks wait in the same queue, for a thread to take them up too early. */
    private static void besideOthers(Executor pool, Runnable task) {
        CompletableFuture.runAsync(
                () -> {
                    Thread caller = Thread.currentThread();
                    AtomicReference<String> stolen = new AtomicReference<>();
                    boolean[] over = {false};
                    for (int i = 0; i < 20; i++) {
                        CompletableFuture.runAsync(
                                () -> {
                                    if (Thread.currentThread() == caller && !over[0]) {
                                        stolen.set("the thread that waits has run another task");
                                    }
                                },
                                pool);
                    }
                    task.run();
                    over[0] = true;
                    if (stolen.get() != null) {
                        STOLEN.set(stolen.get());
                    }
                },
                pool);
    }

    /** What a waiting thread has done besides, or {@code null}. */
    static final AtomicReference<String> STOLEN = new AtomicReference<>();

    /** Where answers of Redis come in. */
    private static EventLoop eventLoop(LockExecutor executor) {
        AtomicReference<Object> found = new AtomicReference<>();
        await().atMost(Duration.ofSeconds(60)).until(() -> {
            executor.acquire(
                            LockRequest.named("loop:" + NUMBER.incrementAndGet())
                                    .build(),
                            LockOwner.unique())
                    .thenRun(() -> found.compareAndSet(null, ThreadExecutorMap.currentExecutor()))
                    .join();
            return found.get() instanceof EventLoop;
        });
        return (EventLoop) found.get();
    }
}
