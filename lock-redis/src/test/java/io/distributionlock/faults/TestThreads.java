package io.distributionlock.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

/** The further threads of one test. */
final class TestThreads {

    private final List<Thread> threads = new ArrayList<>();

    <T> CompletableFuture<T> start(Callable<T> work) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Thread thread = new Thread(
                () -> {
                    try {
                        result.complete(work.call());
                    } catch (Throwable e) {
                        result.completeExceptionally(e);
                    }
                },
                "test-thread-" + threads.size());
        threads.add(thread);
        thread.start();
        return result;
    }

    void assertNoneWaits() throws InterruptedException {
        for (Thread thread : threads) {
            thread.join(FaultSuite.SOON.toMillis());
            assertThat(thread.isAlive()).as("a thread of the test waits yet").isFalse();
        }
    }

    void interrupt() {
        threads.forEach(Thread::interrupt);
    }
}
