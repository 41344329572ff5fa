package io.distributionlock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

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
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextClosedEvent;

/** An application that stops during its first lock, which is busy, while it subscribes to its channel, stops in order. */
@Tag("boot4")
@ExtendWith(OutputCaptureExtension.class)
class StopWhileSubscribingTest {

    @AutoClose
    private static final RedisProcess redis = RedisProcess.start();

    /** What is under way when the application begins to stop. */
    enum UnderWay {
        THE_CONNECTIONS("SETINFO"),
        THE_ATTEMPT("{held}"),
        THE_SUBSCRIPTION("\r\nSUBSCRIBE\r\n"),
        ITS_ANSWER("\r\nsubscribe\r\n");

        private final String text;

        UnderWay(String text) {
            this.text = text;
        }
    }

    @ParameterizedTest
    @CsvSource({
        "lettuce, THE_CONNECTIONS",
        "lettuce, THE_ATTEMPT",
        "lettuce, THE_SUBSCRIPTION",
        "lettuce, ITS_ANSWER",
        "jedis, THE_CONNECTIONS",
        "jedis, THE_ATTEMPT",
        "jedis, THE_SUBSCRIPTION",
        "jedis, ITS_ANSWER"
    })
    void nothingIsLoggedAsAnError(String client, UnderWay moment, CapturedOutput output) {
        redis.command("SET", "distribution-lock:{held}", "another:1", "PX", "100000");
        try (TcpProxy slow = new TcpProxy(redis.port())) {
            LockContextRunner.redis(slow.port())
                    .withPropertyValues(
                            "spring.data.redis.client-type=" + client, "distribution-lock.shutdown.timeout=0s")
                    .withBean("arrives", ApplicationListener.class, () ->
                            (ApplicationListener<ContextClosedEvent>) closing -> slow.flow())
                    .run(context -> {
                        LockTemplate locks = context.getBean(LockTemplate.class);
                        slow.stickAt(moment.text);
                        CompletableFuture<?> waiter = CompletableFuture.runAsync(() -> locks.acquire("held"));
                        await().atMost(Duration.ofSeconds(30)).until(() -> slow.holdsBack(moment.text));
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
