package io.distributionlock.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributionlock.LockDefaults;
import io.distributionlock.LockTemplate;
import io.distributionlock.local.LocalLockExecutor;
import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * A thread that waits for a lock runs nothing else meanwhile. The JDK lets a thread of the common pool run other asynchronous
 * tasks in {@link CompletableFuture#get()}, and such a task would enter the locks of the one that waits.
 */
class StolenTasksTest {

    @Test
    void subTasksOfTheCommonPoolExcludeEachOther() throws Exception {
        assertThat(runWithCommonPoolOfFour()).isEqualTo("parallelism: 4, together: 0");
    }

    private static String runWithCommonPoolOfFour() throws Exception {
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "-Djava.util.concurrent.ForkJoinPool.common.parallelism=4",
                "-cp",
                classPath(),
                SubTasks.class.getName());
        Process child = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            child.onExit().get(4, TimeUnit.MINUTES);
            List<String> lines = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> line.startsWith("parallelism"))
                    .toList();
            assertThat(lines).hasSize(1);
            return lines.get(0);
        } finally {
            child.destroyForcibly();
        }
    }

    /** The launcher of the tests may have loaded them by a class loader of its own. */
    private static String classPath() {
        return SubTasks.class.getClassLoader() instanceof URLClassLoader own
                ? Stream.of(own.getURLs()).map(URL::getPath).collect(Collectors.joining(File.pathSeparator))
                : System.getProperty("java.class.path");
    }

    /** Without another thread in the place of those that wait, nobody would run what they wait for. */
    @Test
    void aPoolWhoseThreadsAllWaitStillRunsWhatTheyWaitFor() throws Exception {
        ForkJoinPool pool = new ForkJoinPool(2);
        try (LocalLockExecutor executor = new LocalLockExecutor()) {
            LockTemplate locks = new LockTemplate(executor, LockDefaults.STANDARD);
            var held = locks.acquire("a");
            CountDownLatch waiting = new CountDownLatch(2);
            List<CompletableFuture<Boolean>> waiters = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                waiters.add(CompletableFuture.supplyAsync(
                        () -> {
                            waiting.countDown();
                            locks.lock("a").lock();
                            locks.lock("a").unlock();
                            return true;
                        },
                        pool));
            }
            assertThat(waiting.await(60, TimeUnit.SECONDS)).isTrue();
            CompletableFuture<?> release = CompletableFuture.supplyAsync(held::release, pool);
            release.get(60, TimeUnit.SECONDS);
            for (CompletableFuture<Boolean> waiter : waiters) {
                assertThat(waiter.get(60, TimeUnit.SECONDS)).isTrue();
            }
        } finally {
            pool.shutdownNow();
        }
    }

    /** A pool that has no further thread says so by an exception, which is no reason to fail. */
    @Test
    void aPoolThatHasNoFurtherThreadLetsItsThreadsWaitAllTheSame() throws Exception {
        ForkJoinPool pool = new ForkJoinPool(
                1, ForkJoinPool.defaultForkJoinWorkerThreadFactory, null, true, 1, 1, 1, null, 10, TimeUnit.SECONDS);
        try (LocalLockExecutor executor = new LocalLockExecutor()) {
            LockTemplate locks = new LockTemplate(executor, LockDefaults.STANDARD);
            var held = locks.acquire("a");
            CountDownLatch waiting = new CountDownLatch(1);
            CompletableFuture<Boolean> waiter = CompletableFuture.supplyAsync(
                    () -> {
                        waiting.countDown();
                        locks.lock("a").lock();
                        locks.lock("a").unlock();
                        return true;
                    },
                    pool);
            assertThat(waiting.await(60, TimeUnit.SECONDS)).isTrue();
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> executor.snapshot().waiting().size() == 1);
            held.release();
            assertThat(waiter.get(60, TimeUnit.SECONDS)).isTrue();
        } finally {
            pool.shutdownNow();
        }
    }
}
