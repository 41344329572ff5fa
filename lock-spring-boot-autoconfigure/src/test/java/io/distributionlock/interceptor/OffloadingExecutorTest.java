package io.distributionlock.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A task that is handed over runs, once, and on another thread. */
@Tag("boot4")
class OffloadingExecutorTest {

    private final AtomicInteger runs = new AtomicInteger();
    private final CompletableFuture<Thread> runner = new CompletableFuture<>();

    private void handOverTo(Executor target) {
        new OffloadingExecutor(() -> target).execute(() -> {
            runs.incrementAndGet();
            runner.complete(Thread.currentThread());
        });
    }

    private void assertRunOnceByTheLibrary() throws Exception {
        Thread thread = runner.get(20, TimeUnit.SECONDS);
        assertThat(thread.getName()).startsWith("distribution-lock-");
        assertThat(thread.isDaemon()).isTrue();
        assertThat(runs).hasValue(1);
    }

    @Test
    void whatTheExecutorTakesRunsThere() throws Exception {
        Thread[] made = new Thread[1];
        handOverTo(task -> {
            made[0] = new Thread(task);
            made[0].start();
        });
        assertThat(runner.get(20, TimeUnit.SECONDS)).isSameAs(made[0]);
    }

    @Test
    void whatItRefusesRunsOnAThreadOfTheLibrary() throws Exception {
        handOverTo(task -> {
            throw new RejectedExecutionException("full");
        });
        assertRunOnceByTheLibrary();
    }

    @Test
    void whatItRunsOnTheThreadThatHandsItOverRunsOnOneOfTheLibrary() throws Exception {
        handOverTo(Runnable::run);
        assertRunOnceByTheLibrary();
    }

    @Test
    void whatItRunsAndThenRefusesRunsOnce() throws Exception {
        handOverTo(task -> {
            task.run();
            throw new RejectedExecutionException("after all");
        });
        assertRunOnceByTheLibrary();
    }

    @Test
    void aThreadMayLaterRunWhatItHandedOver() {
        Queue<Runnable> queue = new ArrayDeque<>();
        handOverTo(queue::add);
        assertThat(runs).hasValue(0);
        queue.remove().run();
        assertThat(runner).isCompletedWithValue(Thread.currentThread());
    }
}
