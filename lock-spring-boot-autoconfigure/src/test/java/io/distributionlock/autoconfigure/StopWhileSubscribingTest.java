package io.distributionlock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.LockBackendException;
import io.distributionlock.LockTemplate;
import io.distributionlock.testing.LockContextRunner;
import io.distributionlock.testing.RedisProcess;
import io.distributionlock.testing.TcpProxy;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** An application that stops just after its first contended lock, while it subscribes to its channel, stops in order. */
@Tag("boot4")
@ExtendWith(OutputCaptureExtension.class)
class StopWhileSubscribingTest {

    @AutoClose
    private static final RedisProcess redis = RedisProcess.start();

    /** @param millis a part of the time that subscribing takes */
    @ParameterizedTest
    @CsvSource({"lettuce, 100", "lettuce, 700", "lettuce, 1300", "jedis, 100", "jedis, 700", "jedis, 1300"})
    void nothingIsLoggedAsAnError(String client, long millis, CapturedOutput output) {
        redis.command("SET", "distribution-lock:{held}", "another:1", "PX", "100000");
        try (TcpProxy slow = new TcpProxy(redis.port())) {
            LockContextRunner.redis(slow.port())
                    .withPropertyValues(
                            "spring.data.redis.client-type=" + client, "distribution-lock.shutdown.timeout=0s")
                    .run(context -> {
                        LockTemplate locks = context.getBean(LockTemplate.class);
                        locks.acquire("free").release();
                        slow.latency(Duration.ofMillis(500));
                        CompletableFuture<?> waiter = CompletableFuture.runAsync(() -> locks.acquire("held"));
                        // Not to wait for a condition, but to stop at different moments.
                        TimeUnit.MILLISECONDS.sleep(millis);
                        context.close();
                        try {
                            waiter.get(30, TimeUnit.SECONDS);
                        } catch (ExecutionException e) {
                            assertThat(e).hasCauseInstanceOf(LockBackendException.class);
                        }
                    });
        }
        assertThat(output.getOut().lines().filter(line -> line.contains(" ERROR ")))
                .isEmpty();
    }
}
