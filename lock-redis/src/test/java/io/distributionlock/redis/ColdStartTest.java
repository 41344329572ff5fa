package io.distributionlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributionlock.LockBackendException;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import io.distributionlock.ReleaseResult;
import io.distributionlock.backend.EngineSettings;
import io.distributionlock.backend.InstanceName;
import io.distributionlock.messages.MessageRules;
import io.distributionlock.testing.FreePorts;
import io.distributionlock.testing.RedisBinary;
import io.distributionlock.testing.RedisConnections;
import io.distributionlock.testing.RedisProcess;
import io.distributionlock.testing.TcpProxy;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.TimeoutOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/** The connection of the locks while it is new; a Redis that never answers is named. */
@Tag("boot4")
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class ColdStartTest {

    private static final Duration ONCE = Duration.ZERO;

    /** Longer than the command timeout of 2 s. */
    private static final Duration SLOW = Duration.ofSeconds(3);

    private static final Duration IMPATIENT = Duration.ofMillis(500);

    /** So long that only an answer ends the wait, whatever the machine is busy with. */
    private static final Duration LONG = Duration.ofSeconds(60);

    /** Ends no attempt either, but is what an executor that is closed waits for releases that nobody answers. */
    private static final Duration UNANSWERED = Duration.ofSeconds(15);

    private final Deque<AutoCloseable> toEnd = new ArrayDeque<>();

    /** Ended first: a client that connects to one of them would hold up its own end. */
    private final List<ServerSocket> silentServers = new ArrayList<>();

    private final PortThreads threads = new PortThreads();
    private long start;

    @AfterEach
    void end() throws Exception {
        for (ServerSocket server : silentServers) {
            server.close();
        }
        while (!toEnd.isEmpty()) {
            toEnd.pop().close();
        }
        threads.assertNoneLeft();
    }

    private <T extends AutoCloseable> T ended(T started) {
        toEnd.push(started);
        return started;
    }

    /** A server that takes connections and never says anything. */
    private int silentServer() throws IOException {
        ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        silentServers.add(server);
        return server.getLocalPort();
    }

    /** A Redis of which nothing is heard before the proxy flows. */
    private TcpProxy slowRedis() {
        TcpProxy proxy = ended(new TcpProxy(ended(RedisProcess.start()).port()));
        proxy.stick(TcpProxy.Direction.TO_CLIENT);
        return proxy;
    }

    private RedisLockExecutor executor(LettuceConnectionFactory factory, Duration commandTimeout) {
        ended(factory::destroy);
        return connected(factory, commandTimeout);
    }

    private RedisLockExecutor connected(RedisConnectionFactory factory, Duration commandTimeout) {
        return ended(new RedisLockExecutor(
                new StringRedisTemplate(factory),
                "distribution-lock",
                EngineSettings.standard(InstanceName.create()).withCommandTimeout(commandTimeout)));
    }

    /** As with spring.data.redis.timeout. */
    private static LettuceConnectionFactory impatient(int port, Duration timeout) {
        LettuceConnectionFactory factory = new LettuceConnectionFactory(
                new RedisStandaloneConfiguration("127.0.0.1", port),
                LettuceClientConfiguration.builder()
                        .commandTimeout(timeout)
                        .clientOptions(ClientOptions.builder()
                                .timeoutOptions(TimeoutOptions.enabled())
                                .build())
                        .shutdownTimeout(Duration.ZERO)
                        .shutdownQuietPeriod(Duration.ZERO)
                        .build());
        factory.afterPropertiesSet();
        factory.start();
        return factory;
    }

    /** Starts the clock. */
    private CompletableFuture<LockOutcome> attempt(RedisLockExecutor executor, Duration wait) {
        start = System.nanoTime();
        return executor.acquire(LockRequest.named("stock").tryLockTime(wait).build(), LockOwner.unique());
    }

    private Duration elapsed() {
        return Duration.ofNanos(System.nanoTime() - start);
    }

    /** Whether it acquired the lock, which is then released. */
    private static boolean isAcquired(CompletableFuture<LockOutcome> attempt) {
        return attempt.join() instanceof LockOutcome.Acquired acquired
                && acquired.lease().release() == ReleaseResult.RELEASED;
    }

    private LockBackendException failure(CompletableFuture<LockOutcome> attempt) {
        assertThat(attempt).succeedsWithin(LONG);
        LockOutcome outcome = attempt.join();
        assertThat(outcome).isInstanceOf(LockOutcome.BackendFailed.class);
        LockOutcome.BackendFailed failed = (LockOutcome.BackendFailed) outcome;
        LockBackendException exception = new LockBackendException("stock", failed.waited(), failed.cause());
        assertThat(MessageRules.faults(exception.getMessage(), "stock")).isEmpty();
        assertThat(MessageRules.faults(exception.getMessage(), elapsed())).isEmpty();
        return exception;
    }

    private static String notConnectedYetTo(int port) {
        return "not connected yet to 127.0.0.1:" + port;
    }

    @Test
    void onceConnectedOnlyTheCommandTimeoutOfTheLocksEndsACommand() {
        TcpProxy proxy = slowRedis();
        proxy.flow();
        LettuceConnectionFactory impatient = impatient(proxy.port(), IMPATIENT);
        ended(impatient::destroy);
        RedisLockExecutor executor = ended(new RedisLockExecutor(
                new StringRedisTemplate(impatient),
                "distribution-lock",
                EngineSettings.standard(InstanceName.create()).withCommandTimeout(LONG)));
        await().atMost(LONG).until(() -> isAcquired(attempt(executor, ONCE)));

        proxy.stick(TcpProxy.Direction.TO_CLIENT);
        CompletableFuture<LockOutcome> attempt = attempt(executor, ONCE);
        await().atMost(LONG).until(() -> elapsed().compareTo(IMPATIENT.multipliedBy(3)) > 0);
        assertThat(attempt).isNotDone();
        proxy.flow();
        assertThat(attempt).succeedsWithin(LONG);
        assertThat(isAcquired(attempt)).isTrue();
    }

    @Tag("long")
    @Test
    void whenTheClientGivesUpConnectingBeforeThenItConnectsAgain() {
        TcpProxy proxy = slowRedis();
        RedisLockExecutor executor = executor(impatient(proxy.port(), Duration.ofSeconds(2)), LONG);
        CompletableFuture<LockOutcome> once = attempt(executor, ONCE);
        await().atMost(LONG).until(() -> elapsed().compareTo(SLOW) > 0);
        assertThat(once).isNotDone();

        // The command itself has no more time than the client gives it.
        proxy.flow();
        await().atMost(LONG).until(() -> isAcquired(once) || isAcquired(attempt(executor, ONCE)));
    }

    @Test
    void whenNoAnswerEverComesThenAnAttemptEndsWithItsOwnTimeAndSaysWhere() throws IOException {
        int port = silentServer();
        RedisLockExecutor executor = executor(RedisConnections.to(port), UNANSWERED);
        LockBackendException failure = failure(attempt(executor, Duration.ofSeconds(1)));
        assertThat(elapsed()).isBetween(Duration.ofSeconds(1), UNANSWERED);
        assertThat(failure)
                .hasMessageContaining(notConnectedYetTo(port))
                .hasMessageContaining("check that Redis is running")
                .hasMessageContaining("tryLockTime");
    }

    @Test
    void whenNoAnswerEverComesThenASingleAttemptEndsAfterTheCommandTimeout() throws IOException {
        int port = silentServer();
        RedisLockExecutor executor = executor(RedisConnections.to(port), SLOW);
        CompletableFuture<Boolean> query = executor.isLocked("other");
        LockBackendException failure = failure(attempt(executor, ONCE));
        assertThat(elapsed()).isBetween(SLOW, LONG);
        assertThat(failure).hasMessageContaining(notConnectedYetTo(port));
        assertThat(query)
                .failsWithin(LONG)
                .withThrowableThat()
                .havingCause()
                .isInstanceOf(LockBackendException.class)
                .withMessageContaining(notConnectedYetTo(port));
    }

    @Tag("long")
    @Test
    void whenReplicasHaveToAcknowledgeThenTheirConnectionIsNamedToo() throws IOException {
        int port = silentServer();
        LettuceConnectionFactory factory = RedisConnections.to(port);
        ended(factory::destroy);
        RedisLockExecutor executor = ended(new RedisLockExecutor(
                new StringRedisTemplate(factory),
                "distribution-lock",
                EngineSettings.standard(InstanceName.create()).withCommandTimeout(SLOW),
                new ReplicaAcks(1, Duration.ofMillis(500))));
        assertThat(failure(attempt(executor, Duration.ofSeconds(1)))).hasMessageContaining(notConnectedYetTo(port));
    }

    @Test
    void whenTheConnectionIsRefusedThenNobodyWaitsForAnAnswer() {
        failure(attempt(executor(RedisConnections.to(FreePorts.next()), UNANSWERED), ONCE));
        assertThat(elapsed()).isLessThan(UNANSWERED);
    }

    @Test
    void whenThePasswordIsWrongThenNobodyWaitsForAnAnswer() {
        RedisProcess redis = ended(RedisProcess.start(RedisBinary.GIVEN, "--requirepass", "secret"));
        LettuceConnectionFactory factory = RedisConnections.to(redis.port(), "default", "wrong");
        failure(attempt(executor(factory, UNANSWERED), ONCE));
        assertThat(elapsed()).isLessThan(UNANSWERED);
    }

    /** Its own timeout of 2 s ends the command. */
    @Tag("long")
    @Test
    void whenJedisHasNoAnswerThenTheFailureSaysWhere() throws IOException {
        int port = silentServer();
        JedisConnectionFactory factory = new JedisConnectionFactory(
                new RedisStandaloneConfiguration("127.0.0.1", port),
                JedisClientConfiguration.builder().usePooling().build());
        factory.afterPropertiesSet();
        factory.start();
        ended(factory::destroy);
        assertThat(failure(attempt(connected(factory, UNANSWERED), ONCE)))
                .hasMessageContaining(notConnectedYetTo(port));
    }
}
