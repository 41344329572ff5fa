package io.distributionlock.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.Lease;
import io.distributionlock.LockDefaults;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockRequest;
import io.distributionlock.LockTemplate;
import io.distributionlock.backend.EngineSettings;
import io.distributionlock.redis.RedisAcl;
import io.distributionlock.redis.RedisLockExecutor;
import io.distributionlock.redis.ReplicaAcks;
import io.distributionlock.testing.RedisProcess;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/** The rights that the page of operations asks for are enough. */
class OperationsPageTest {

    private static final LockRequest REQUEST = LockRequest.named("updateOrderStatus:A1001")
            .tryLockTime(Duration.ofSeconds(20))
            .build();

    /** The line of the page that begins with the patterns of keys. */
    static List<String> rights() {
        return Page.of("docs/operations.md").lines().stream()
                .filter(line -> line.startsWith("~"))
                .flatMap(line -> Stream.of(line.split(" ")))
                .toList();
    }

    @Test
    void thePageShowsTheRightsThatTheLibraryTellsOf() {
        assertThat(String.join(" ", rights())).isEqualTo(RedisAcl.rule("distribution-lock"));
    }

    @Test
    void aUserWithTheseRightsLocksWaitsIsHandedTheLockAndReleases() throws Exception {
        try (RedisProcess redis = RedisProcess.start()) {
            String[] user = Stream.concat(Stream.of("ACL", "SETUSER", "locks", "on", ">secret"), rights().stream())
                    .toArray(String[]::new);
            assertThat(redis.command(user)).isEqualTo("OK");
            LettuceConnectionFactory connections = connect(redis.port());
            try (RedisLockExecutor first = executor(connections, "first");
                    RedisLockExecutor second = executor(connections, "second")) {
                LockTemplate here = new LockTemplate(first, LockDefaults.STANDARD);
                LockTemplate there = new LockTemplate(second, LockDefaults.STANDARD);
                Lease held = here.acquire(REQUEST);
                assertThat(here.lock(REQUEST.name()).isLocked()).isTrue();
                assertThat(first.inspect(REQUEST.name())
                                .get(20, TimeUnit.SECONDS)
                                .inside())
                        .hasSize(1);
                CompletableFuture<LockOutcome> waiting = there.acquireAsync(REQUEST);
                assertThat(held.extend(Duration.ofMinutes(2))).isTrue();
                held.release();
                LockOutcome outcome = waiting.get(20, TimeUnit.SECONDS);
                assertThat(outcome).isInstanceOf(LockOutcome.Acquired.class);
                assertThat(there.forceRelease(REQUEST.name()).get(20, TimeUnit.SECONDS))
                        .isTrue();
                assertThat(redis.refusals()).isEmpty();
            } finally {
                connections.destroy();
            }
        }
    }

    @Test
    void thePageSaysWhatAClusterNeedsInAddition() {
        String addition = RedisAcl.ruleOfCluster("distribution-lock")
                .substring(RedisAcl.rule("distribution-lock").length());
        assertThat(Page.of("docs/operations.md").lines())
                .anyMatch(line -> line.startsWith("In a Cluster, add `" + addition.strip() + "`"));
    }

    @Test
    void aUserThatMayAlsoWaitAsksReplicas() {
        try (RedisProcess redis = RedisProcess.start()) {
            String[] user = Stream.concat(
                            Stream.of("ACL", "SETUSER", "locks", "on", ">secret", "+wait"), rights().stream())
                    .sorted((one, other) -> Boolean.compare(one.equals("+wait"), other.equals("+wait")))
                    .toArray(String[]::new);
            assertThat(redis.command(user)).isEqualTo("OK");
            LettuceConnectionFactory connections = connect(redis.port());
            try (RedisLockExecutor asking = new RedisLockExecutor(
                    new StringRedisTemplate(connections),
                    "distribution-lock",
                    patient("asking"),
                    new ReplicaAcks(1, Duration.ofMillis(100)))) {
                assertThat(new LockTemplate(asking, LockDefaults.STANDARD).attempt(REQUEST))
                        .isInstanceOf(LockOutcome.NotReplicated.class);
                assertThat(redis.refusals()).isEmpty();
            } finally {
                connections.destroy();
            }
        }
    }

    private static RedisLockExecutor executor(LettuceConnectionFactory connections, String instance) {
        return new RedisLockExecutor(new StringRedisTemplate(connections), "distribution-lock", patient(instance));
    }

    /** A first command has to connect as well, which may take its time on a busy machine. */
    private static EngineSettings patient(String instance) {
        return EngineSettings.standard(instance).withCommandTimeout(Duration.ofSeconds(30));
    }

    private static LettuceConnectionFactory connect(int port) {
        RedisStandaloneConfiguration configuration = new RedisStandaloneConfiguration("127.0.0.1", port);
        configuration.setUsername("locks");
        configuration.setPassword("secret");
        LettuceConnectionFactory connections = new LettuceConnectionFactory(configuration);
        connections.afterPropertiesSet();
        connections.start();
        return connections;
    }
}
