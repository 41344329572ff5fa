package io.distributionlock.faults;

import static io.distributionlock.faults.FaultSuite.since;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributionlock.Lease;
import io.distributionlock.LockDefaults;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockRequest;
import io.distributionlock.LockTemplate;
import io.distributionlock.ReleaseResult;
import io.distributionlock.backend.EngineSettings;
import io.distributionlock.backend.InstanceName;
import io.distributionlock.quorum.QuorumLockExecutor;
import io.distributionlock.quorum.QuorumNode;
import io.distributionlock.quorum.QuorumNodeState;
import io.distributionlock.quorum.QuorumSettings;
import io.distributionlock.testing.RedisConnections;
import io.distributionlock.testing.RedisProcess;
import io.distributionlock.testing.TcpProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/** Three servers that answer, but later than a node may usually take: whoever waits for longer than that gets the lock. */
@Tag("server")
@Timeout(180)
@Tag("long")
class SlowQuorumIT {

    /** Each way, so that an answer takes longer than the node timeout of 200 ms. */
    private static final Duration SLOW = Duration.ofMillis(200);

    private static final Duration PATIENT = Duration.ofSeconds(30);
    private static final Duration LONG = Duration.ofSeconds(60);

    private final List<RedisProcess> servers = new ArrayList<>();
    private final List<TcpProxy> proxies = new ArrayList<>();
    private final List<LettuceConnectionFactory> factories = new ArrayList<>();
    private final List<QuorumLockExecutor> executors = new ArrayList<>();

    @BeforeEach
    void startServers() {
        for (int i = 0; i < 3; i++) {
            servers.add(RedisProcess.start());
            proxies.add(new TcpProxy(servers.get(i).port()));
        }
    }

    @AfterEach
    void endEverything() {
        executors.forEach(executor -> executor.stop(Duration.ZERO));
        factories.forEach(LettuceConnectionFactory::destroy);
        proxies.forEach(TcpProxy::close);
        servers.forEach(RedisProcess::close);
    }

    /** A process of its own, which has had a lock. */
    private LockTemplate process() {
        List<QuorumNode> nodes = new ArrayList<>();
        for (TcpProxy proxy : proxies) {
            LettuceConnectionFactory factory = RedisConnections.to(proxy.port());
            factories.add(factory);
            nodes.add(new QuorumNode("127.0.0.1:" + proxy.port(), new StringRedisTemplate(factory)));
        }
        QuorumLockExecutor executor = new QuorumLockExecutor(
                nodes, QuorumSettings.STANDARD, "distribution-lock", EngineSettings.standard(InstanceName.create()));
        executors.add(executor);
        LockTemplate locks = new LockTemplate(executor, LockDefaults.STANDARD);
        await().atMost(LONG)
                .until(() -> locks.attempt(request("warm-up", PATIENT)) instanceof LockOutcome.Acquired got
                        && got.lease().release() == ReleaseResult.RELEASED
                        && executor.nodes().stream().allMatch(QuorumNodeState::reachable));
        return locks;
    }

    private static LockRequest request(String name, Duration wait) {
        return LockRequest.named(name)
                .tryLockTime(wait)
                .renewedLease(Duration.ofSeconds(10))
                .build();
    }

    private void slow(Duration each) {
        proxies.forEach(proxy -> proxy.latency(each));
    }

    @Test
    void whoeverMayWaitGetsTheLockOfSlowServersOneAtATime() throws Exception {
        List<LockTemplate> processes = List.of(process(), process());
        slow(SLOW);
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger together = new AtomicInteger();
        List<CompletableFuture<String>> callers = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            LockTemplate locks = processes.get(i % 2);
            callers.add(CompletableFuture.supplyAsync(
                    () -> {
                        LockOutcome outcome = locks.attempt(request("one", PATIENT));
                        if (!(outcome instanceof LockOutcome.Acquired got)) {
                            return outcome.toString();
                        }
                        together.accumulateAndGet(inside.incrementAndGet(), Math::max);
                        Lease lease = got.lease();
                        inside.decrementAndGet();
                        lease.release();
                        return "served";
                    },
                    command -> new Thread(command).start()));
        }
        for (CompletableFuture<String> caller : callers) {
            assertThat(caller.get(100, TimeUnit.SECONDS)).isEqualTo("served");
        }
        assertThat(together).hasValue(1);
    }

    @Test
    void aLockOfSlowServersIsRenewedAndReleased() {
        LockTemplate locks = process();
        slow(SLOW);
        LockRequest shortLease = LockRequest.named("kept")
                .tryLockTime(PATIENT)
                .renewedLease(Duration.ofSeconds(6))
                .build();
        Lease lease = ((LockOutcome.Acquired) locks.attempt(shortLease)).lease();
        long start = System.nanoTime();
        FaultSuite.awaitTime(Duration.ofSeconds(9), start);
        assertThat(lease.isValid()).isTrue();
        assertThat(lease.confirm()).isTrue();
        assertThat(locks.attempt(request("other", Duration.ZERO))).isInstanceOf(LockOutcome.Acquired.class);
        assertThat(lease.release()).isEqualTo(ReleaseResult.RELEASED);
    }

    @Test
    void whoeverMayWaitOutlivesAPauseThatIsLongerThanACommandMayTake() {
        LockTemplate locks = process();
        servers.forEach(server -> server.command("CLIENT", "PAUSE", "5000"));
        long start = System.nanoTime();
        LockOutcome outcome = locks.attempt(request("paused", PATIENT));
        assertThat(outcome).isInstanceOf(LockOutcome.Acquired.class);
        assertThat(since(start)).isGreaterThan(Duration.ofSeconds(3));
        assertThat(((LockOutcome.Acquired) outcome).lease().release()).isEqualTo(ReleaseResult.RELEASED);
    }

    @Test
    void aMajorityThatIsGoneIsReportedAtOnceAndOneThatIsFrozenAfterAWhile() {
        LockTemplate locks = process();
        servers.get(0).kill();
        servers.get(1).kill();
        long start = System.nanoTime();
        assertFailed(locks.attempt(request("gone", LONG)), servers.get(0));
        assertThat(since(start)).as("gone").isLessThan(Duration.ofSeconds(20));
        servers.get(0).startAgain();
        servers.get(1).startAgain();
        await().atMost(LONG).until(() -> executors.get(0).nodes().stream().allMatch(QuorumNodeState::reachable));
        servers.get(0).pause();
        servers.get(1).pause();
        start = System.nanoTime();
        assertFailed(locks.attempt(request("frozen", LONG)), servers.get(0));
        assertThat(since(start)).as("frozen").isLessThan(Duration.ofSeconds(40));
        start = System.nanoTime();
        assertFailed(locks.attempt(request("frozen", LONG)), servers.get(0));
        assertThat(since(start)).as("known to be frozen").isLessThan(Duration.ofSeconds(8));
    }

    private void assertFailed(LockOutcome outcome, RedisProcess server) {
        int proxy = proxies.get(servers.indexOf(server)).port();
        assertThat(outcome)
                .isInstanceOfSatisfying(
                        LockOutcome.BackendFailed.class,
                        failed -> assertThat(failed.cause())
                                .hasMessageContaining("2 of 3 nodes")
                                .hasStackTraceContaining("127.0.0.1:" + proxy));
    }
}
