package io.distributionlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributionlock.Lease;
import io.distributionlock.Lease.LossReason;
import io.distributionlock.LockExecutor;
import io.distributionlock.LockKind;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import io.distributionlock.quorum.QuorumLockExecutor;
import io.distributionlock.quorum.QuorumMode;
import io.distributionlock.quorum.QuorumNode;
import io.distributionlock.quorum.QuorumSettings;
import io.distributionlock.testing.RedisConnections;
import io.distributionlock.testing.RedisProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/** A message says that a lock was released by force, and is wrong: it changes nothing, also not later. */
@Tag("server")
class ForgedRevocationTest {

    private static final Duration LONG = Duration.ofSeconds(30);
    private static final String KEY = "distribution-lock:{name}";
    private static final String CHANNEL = "distribution-lock:wake:host:a";

    private final List<RedisProcess> servers = new ArrayList<>();
    private final List<LettuceConnectionFactory> factories = new ArrayList<>();
    private LockExecutor executor;

    @AfterEach
    void end() {
        executor.stop(Duration.ZERO);
        factories.forEach(LettuceConnectionFactory::destroy);
        servers.forEach(RedisProcess::close);
    }

    @ParameterizedTest
    @CsvSource({"REENTRANT, renewed", "FAIR, renewed", "READ, renewed", "FAIR, fixed", "READ, limited"})
    void isForgottenOnceItIsDenied(LockKind kind, String lease) {
        executor = new RedisLockExecutor(template(), "distribution-lock", TestProcess.patient("host:a"));
        LockRequest.Builder request = LockRequest.named("name").kind(kind);
        if (lease.equals("fixed")) {
            request.holdLockTime(Duration.ofMinutes(5));
        } else if (lease.equals("limited")) {
            request.maxHoldTime(Duration.ofSeconds(50));
        }
        Lease held = acquire(request.build());
        publish(servers.get(0), kind == LockKind.READ ? "host:a:r1" : "host:a:1");
        assertThat(held.confirm()).isTrue();
        await().during(Duration.ofMillis(500)).atMost(LONG).until(held::isValid);

        servers.get(0).command("FLUSHALL");
        assertThat(held.confirm()).isFalse();
        assertThat(held.lossReason()).isEqualTo(LossReason.GONE);
    }

    /** The node cannot deny it: it does not have the lock, for another reason. */
    @Test
    void ofANodeOfAQuorumThatHasNoPartEndsNoHealing() {
        executor = new QuorumLockExecutor(
                List.of(node(), node(), node()),
                new QuorumSettings(QuorumMode.MAJORITY, LONG, 0.01, Duration.ofMillis(50), Duration.ZERO),
                "distribution-lock",
                TestProcess.patient("host:a"));
        Lease held = acquire(LockRequest.named("name").build());
        RedisProcess node = servers.get(2);
        await().atMost(LONG).until(() -> node.command("GET", KEY) != null);
        String claim = (String) node.command("GET", KEY);
        node.command("SET", KEY, "host:b:1");
        assertThat(held.confirm()).isTrue();
        publish(node, claim);
        await().during(Duration.ofMillis(500)).atMost(LONG).until(held::isValid);

        node.command("DEL", KEY);

        await().atMost(LONG).until(() -> held.confirm() && claim.equals(node.command("GET", KEY)));
        servers.forEach(each -> each.command("DEL", KEY));
        assertThat(held.confirm()).isFalse();
        assertThat(held.lossReason()).isEqualTo(LossReason.GONE);
    }

    private static void publish(RedisProcess server, String claim) {
        await().atMost(LONG).until(() -> !((List<?>) server.command("PUBSUB", "CHANNELS", CHANNEL)).isEmpty());
        server.command("PUBLISH", CHANNEL, "revoked\n" + claim + "\nname");
    }

    private Lease acquire(LockRequest request) {
        LockOutcome outcome = TestProcess.answer(executor.acquire(request, LockOwner.unique()));
        assertThat(outcome).isInstanceOf(LockOutcome.Acquired.class);
        return ((LockOutcome.Acquired) outcome).lease();
    }

    private QuorumNode node() {
        StringRedisTemplate template = template();
        return new QuorumNode("node " + servers.size(), template);
    }

    private StringRedisTemplate template() {
        RedisProcess server = RedisProcess.start();
        servers.add(server);
        LettuceConnectionFactory factory = RedisConnections.to(server.port());
        factories.add(factory);
        return new StringRedisTemplate(factory);
    }
}
