package io.distributionlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributionlock.LockKind;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockRequest;
import io.distributionlock.LockTemplate;
import io.distributionlock.monitor.LockMonitor;
import io.distributionlock.testing.LockContextRunner;
import io.distributionlock.testing.RedisProcess;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Redis stands still for longer than the first in line is going to hold the lock, and grants it to that one afterwards. */
@Tag("server")
@Tag("boot4")
class FairOverAnOutageTest {

    private static final Duration LONG = Duration.ofSeconds(60);

    @AutoClose
    private static final RedisProcess redis = RedisProcess.start();

    @ParameterizedTest(name = "whose answers may take {0}")
    @ValueSource(strings = {"3s", "60s"})
    void keepsTheOrder(String commandTimeout) {
        LockContextRunner.redis(redis.port())
                .withPropertyValues("distribution-lock.redis.command-timeout=" + commandTimeout)
                .run(context -> {
                    LockTemplate locks = context.getBean(LockTemplate.class);
                    LockMonitor monitor = context.getBean(LockMonitor.class);
                    List<String> order = new CopyOnWriteArrayList<>();
                    assertThat(acquire("holder", locks, Duration.ofSeconds(5), order))
                            .succeedsWithin(LONG);
                    CompletableFuture<?> earlier = acquire("earlier", locks, Duration.ofSeconds(3), order);
                    awaitWaiting(monitor, 1);
                    CompletableFuture<?> later = acquire("later", locks, Duration.ofSeconds(1), order);
                    awaitWaiting(monitor, 2);

                    redis.command("CLIENT", "PAUSE", "8000", "WRITE");

                    assertThat(CompletableFuture.allOf(earlier, later)).succeedsWithin(LONG);
                    assertThat(order).containsExactly("holder", "earlier", "later");
                });
    }

    private static CompletableFuture<?> acquire(String who, LockTemplate locks, Duration hold, List<String> order) {
        LockRequest request = locks.request("name")
                .kind(LockKind.FAIR)
                .holdLockTime(hold)
                .tryLockTime(LONG)
                .build();
        return locks.acquireAsync(request).thenAccept(outcome -> {
            assertThat(outcome).isInstanceOf(LockOutcome.Acquired.class);
            order.add(who);
        });
    }

    private static void awaitWaiting(LockMonitor monitor, int count) {
        await().atMost(LONG).until(() -> monitor.inspect("name").join().waiting() == count);
    }
}
