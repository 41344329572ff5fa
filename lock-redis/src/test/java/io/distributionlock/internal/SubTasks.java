package io.distributionlock.internal;

import io.distributionlock.LockDefaults;
import io.distributionlock.LockExecutor;
import io.distributionlock.LockTemplate;
import io.distributionlock.local.LocalLockExecutor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * A task of a pool starts many others, which acquire two locks, one inside the other, and then acquires them itself. Counts the
 * sections that were entered while another task was inside. Runs as a program with a common pool of its own size.
 */
final class SubTasks {

    private static final int TASKS = 40;
    private static final Duration MAX_WAIT = Duration.ofSeconds(90);

    private final LockTemplate locks;
    private final Executor pool;
    private final AtomicInteger inA = new AtomicInteger();
    private final AtomicInteger inB = new AtomicInteger();
    private final AtomicInteger together = new AtomicInteger();

    private SubTasks(LockTemplate locks, Executor pool) {
        this.locks = locks;
        this.pool = pool;
    }

    /** @return how many sections were entered while another was inside */
    static int enteredTogether(LockExecutor executor, Executor pool) throws Exception {
        LockDefaults patient = new LockDefaults(Duration.ofSeconds(60), Duration.ofSeconds(60), null);
        SubTasks tasks = new SubTasks(new LockTemplate(executor, patient), pool);
        List<CompletableFuture<Void>> all = new ArrayList<>();
        CompletableFuture<Void> first = CompletableFuture.runAsync(
                () -> {
                    for (int i = 0; i < TASKS; i++) {
                        all.add(CompletableFuture.runAsync(tasks::section, pool));
                    }
                    tasks.section();
                },
                pool);
        first.get(MAX_WAIT.toSeconds(), TimeUnit.SECONDS);
        for (CompletableFuture<Void> each : all) {
            each.get(MAX_WAIT.toSeconds(), TimeUnit.SECONDS);
        }
        return tasks.together.get();
    }

    private void section() {
        locks.execute(
                "a",
                () -> inside(
                        inA,
                        () -> locks.execute(
                                "b",
                                () -> inside(inB, () -> {
                                    LockSupport.parkNanos(1_000_000);
                                    return true;
                                }))));
    }

    private boolean inside(AtomicInteger count, BooleanSupplier work) {
        if (count.incrementAndGet() > 1) {
            together.incrementAndGet();
        }
        try {
            return work.getAsBoolean();
        } finally {
            count.decrementAndGet();
        }
    }

    public static void main(String[] arguments) throws Exception {
        String result;
        try {
            result = "together: " + enteredTogether(new LocalLockExecutor(), ForkJoinPool.commonPool());
        } catch (TimeoutException e) {
            result = "hung";
        }
        System.out.println("parallelism: " + ForkJoinPool.getCommonPoolParallelism() + ", " + result);
        System.exit(0);
    }
}
