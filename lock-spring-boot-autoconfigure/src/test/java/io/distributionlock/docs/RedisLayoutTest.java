package io.distributionlock.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributionlock.Lease;
import io.distributionlock.LockDefaults;
import io.distributionlock.LockKind;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockRequest;
import io.distributionlock.LockTemplate;
import io.distributionlock.ReleaseResult;
import io.distributionlock.backend.EngineSettings;
import io.distributionlock.redis.RedisLockExecutor;
import io.distributionlock.testing.RedisConnections;
import io.distributionlock.testing.RedisProcess;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/** The page of the protocol names each key that Redis has for locks, with its type, and no other. */
class RedisLayoutTest {

    private static final Duration SOON = Duration.ofSeconds(20);

    @Test
    void thePageHasTheKeysThatRedisHas() {
        try (RedisProcess redis = RedisProcess.start()) {
            LettuceConnectionFactory connections = RedisConnections.to(redis.port());
            try (RedisLockExecutor first = executor(connections, "web1");
                    RedisLockExecutor second = executor(connections, "web2")) {
                LockTemplate here = new LockTemplate(first, LockDefaults.STANDARD);
                LockTemplate there = new LockTemplate(second, LockDefaults.STANDARD);
                warmUp(here);
                warmUp(there);
                Lease held = here.acquire(request("held", LockKind.REENTRANT));
                there.acquireAsync(request("held", LockKind.REENTRANT));
                // An attempt without an answer gives up when Redis falls silent.
                await().atMost(SOON)
                        .until(() -> redis.command("EXISTS", "distribution-lock:{held}:queue")
                                .equals(1L));
                assertThat(second.isLocked("held")).succeedsWithin(SOON).isEqualTo(true);
                Lease read = here.acquire(request("read", LockKind.READ));
                giveUpWhileRedisIsSilent(redis, there);

                await().atMost(SOON).untilAsserted(() -> assertThat(keys(redis)).isEqualTo(documented()));
                assertThat(held.isValid() && read.isValid()).isTrue();
            } finally {
                connections.destroy();
            }
        }
    }

    /** The first command connects, which on a busy machine may take longer than an answer is waited for. */
    private static void warmUp(LockTemplate locks) {
        await().atMost(SOON)
                .until(() -> locks.attempt(request("held", LockKind.REENTRANT)) instanceof LockOutcome.Acquired acquired
                        && acquired.lease().release() == ReleaseResult.RELEASED);
    }

    private static void giveUpWhileRedisIsSilent(RedisProcess redis, LockTemplate locks) {
        redis.pause();
        try {
            assertThat(locks.attempt(LockRequest.named("given up")
                            .tryLockTime(Duration.ZERO)
                            .build()))
                    .isInstanceOf(LockOutcome.BackendFailed.class);
        } finally {
            redis.resume();
        }
    }

    private static LockRequest request(String name, LockKind kind) {
        return LockRequest.named(name).kind(kind).tryLockTime(SOON).build();
    }

    private static RedisLockExecutor executor(LettuceConnectionFactory connections, String instance) {
        return new RedisLockExecutor(
                new StringRedisTemplate(connections), "distribution-lock", EngineSettings.standard(instance));
    }

    /** What stands behind the name of the lock, with the type; each of them ends by itself. */
    private static Map<String, Object> keys(RedisProcess redis) {
        Map<String, Object> keys = new TreeMap<>();
        for (Object key : (List<?>) redis.command("KEYS", "*")) {
            String name = String.valueOf(key);
            assertThat(name).startsWith("distribution-lock:{");
            assertThat((Long) redis.command("PTTL", name))
                    .as("the life of " + name)
                    .isPositive();
            keys.put(generic(name.substring(name.indexOf('}') + 1)), redis.command("TYPE", name));
        }
        return keys;
    }

    private static String generic(String suffix) {
        return suffix.replaceFirst(":gone:.*", ":gone:<claim>");
    }

    private static Map<String, Object> documented() {
        Map<String, Object> keys = new TreeMap<>();
        for (String line : Page.of("docs/protocol.md").section("## In Redis")) {
            if (line.startsWith("| `")) {
                List<String> cells = Page.cells(line);
                assertThat(cells).as(line).hasSize(4).doesNotContain("");
                String key = cells.get(0).replace("`", "");
                keys.put(key.replaceFirst(".*}|…", ""), cells.get(1));
            }
        }
        return keys;
    }
}
