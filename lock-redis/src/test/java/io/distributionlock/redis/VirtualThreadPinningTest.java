package io.distributionlock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.LockDefaults;
import io.distributionlock.LockTemplate;
import io.distributionlock.backend.InstanceName;
import io.distributionlock.testing.RedisConnections;
import io.distributionlock.testing.RedisProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/** Virtual threads that take locks, wait for them and give them up do not keep their carrier threads. */
@Tag("threads")
@EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "There are no virtual threads; CI runs it on a newer Java.")
class VirtualThreadPinningTest {

    private static final int THREADS = 300;
    private static final int LOCKS_PER_THREAD = 20;

    /** Much longer than anything but waiting takes; the same as the JDK's own default. */
    private static final Duration LONG = Duration.ofMillis(20);

    @TempDir
    Path folder;

    @Test
    void lockingDoesNotPin() throws Exception {
        try (RedisProcess redis = RedisProcess.start()) {
            LettuceConnectionFactory connections = RedisConnections.to(redis.port());
            try (RedisLockExecutor executor = new RedisLockExecutor(
                    new StringRedisTemplate(connections),
                    "distribution-lock",
                    TestProcess.patient(InstanceName.create()))) {
                LockTemplate locks = new LockTemplate(executor, LockDefaults.STANDARD);
                // Classes that are loaded or initialised for the first time do pin.
                lockFromVirtualThreads(locks);
                assertThat(pinnedDuring(() -> lockFromVirtualThreads(locks))).isEmpty();
            } finally {
                connections.destroy();
            }
        }
    }

    @Test
    void aThreadThatIsPinnedWouldBeSeen() throws Exception {
        List<RecordedEvent> pinned = pinnedDuring(() -> {
            ExecutorService virtual = virtualThreads();
            virtual.submit(() -> assertThat(SleepsInItsInitialiser.READY).isTrue())
                    .get();
            virtual.shutdown();
        });
        assertThat(pinned).isNotEmpty();
    }

    /** Some names for all, so that threads wait for each other, and one of its own for each. */
    private static void lockFromVirtualThreads(LockTemplate locks) throws Exception {
        ExecutorService virtual = virtualThreads();
        List<? extends Future<?>> work = IntStream.range(0, THREADS)
                .mapToObj(thread -> virtual.submit(() -> lockTogetherAndAlone(locks, thread)))
                .toList();
        for (Future<?> each : work) {
            each.get();
        }
        virtual.shutdown();
    }

    private static void lockTogetherAndAlone(LockTemplate locks, int thread) {
        for (int i = 0; i < LOCKS_PER_THREAD; i++) {
            locks.execute("own:" + thread, () -> "done");
            locks.execute(
                    locks.request("shared:" + thread % 10)
                            .tryLockTime(Duration.ofMinutes(2))
                            .build(),
                    () -> "done");
        }
    }

    private List<RecordedEvent> pinnedDuring(Work work) throws Exception {
        Path file = folder.resolve("pinned.jfr");
        try (Recording recording = new Recording()) {
            recording.enable("jdk.VirtualThreadPinned").withThreshold(LONG).withStackTrace();
            recording.start();
            work.run();
            recording.stop();
            recording.dump(file);
        }
        return readAll(file);
    }

    private static List<RecordedEvent> readAll(Path file) throws IOException {
        return RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getEventType().getName().equals("jdk.VirtualThreadPinned"))
                .toList();
    }

    /** By reflection, because the tests are compiled for Java 17. */
    private static ExecutorService virtualThreads() throws ReflectiveOperationException {
        return (ExecutorService)
                Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
    }

    private interface Work {
        void run() throws Exception;
    }

    private static final class SleepsInItsInitialiser {

        static final boolean READY = sleep();

        private static boolean sleep() {
            try {
                Thread.sleep(10 * LONG.toMillis());
                return true;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
    }
}
