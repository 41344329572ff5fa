package io.distributionlock.playground;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The application starts without Redis, tells its callers, and works once Redis is there. */
class RedisDownAtStartIT {

    /** Far less than the client's default of a minute; more than the expected few seconds, for a busy machine. */
    private static final Duration BOUND = Duration.ofSeconds(20);

    @Test
    void callsFailClearlyUntilRedisIsThere() {
        int port = FreePorts.next();
        try (TestDatabase database = TestDatabase.start();
                Instance instance = Instance.start(
                        "without-redis",
                        "distribution-lock.redis.check-on-start=false",
                        "spring.data.redis.host=127.0.0.1",
                        "spring.data.redis.port=" + port,
                        "spring.datasource.url=" + database.url(),
                        "playground.order.work-time=50ms")) {
            assertUnavailable(instance.update("A1001", 1, 2));
            assertThat(instance.orders().statusOf("A1001")).isEqualTo(1);
            assertThat(database.work()).as("work done without the lock").isEmpty();

            TestRedis redis = TestRedis.startAt(port);
            try {
                await().atMost(Duration.ofSeconds(60))
                        .pollInterval(Duration.ofMillis(200))
                        .until(() -> instance.update("A1001", 1, 2).isDone());
            } finally {
                redis.close();
            }

            assertUnavailable(instance.update("A1001", 1, 3));
            assertThat(instance.orders().statusOf("A1001")).isEqualTo(2);
        }
    }

    private static void assertUnavailable(Answer answer) {
        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.code()).isEqualTo(3);
        assertThat(answer.message()).contains("Redis").contains("业务未执行");
        assertThat(answer.body()).doesNotContain("Exception", "at io.");
        assertThat(answer.took()).isLessThan(BOUND);
    }
}
