package io.distributionlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributionlock.Lease;
import io.distributionlock.LockDefaults;
import io.distributionlock.LockRequest;
import io.distributionlock.LockTemplate;
import io.distributionlock.MultiLock;
import io.distributionlock.backend.EngineSettings;
import io.distributionlock.engine.LockEngine;
import io.distributionlock.monitor.LockMonitor;
import io.distributionlock.testing.RedisBinary;
import io.distributionlock.testing.RedisCluster;
import io.distributionlock.testing.RedisConnections;
import io.distributionlock.testing.RedisProcess;
import io.lettuce.core.protocol.RedisCommand;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** What is sent at the same time leaves in one flush to each node, counted at the channels of the client. */
@Tag("server")
@Tag("boot4")
class FlushesTest {

    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Duration LEASE = Duration.ofMinutes(10);

    private static final RedisProcess server = RedisProcess.start();
    private static final RedisCluster cluster = RedisCluster.start(RedisBinary.GIVEN, 3);

    private final Flushes flushes = new Flushes();
    private final ClientResources resources =
            ClientResources.builder().nettyCustomizer(flushes).build();
    private final AtomicLong skippedNanos = new AtomicLong();

    enum Topology {
        ONE_SERVER(1, resources -> RedisConnections.to(server.port(), resources)),
        CLUSTER(3, resources -> RedisConnections.to(cluster, resources));

        final int nodes;
        final Function<ClientResources, LettuceConnectionFactory> connect;

        Topology(int nodes, Function<ClientResources, LettuceConnectionFactory> connect) {
            this.nodes = nodes;
            this.connect = connect;
        }
    }

    @AfterAll
    static void endServers() {
        cluster.close();
        server.close();
    }

    @AfterEach
    void end() {
        resources.shutdown(0, 0, TimeUnit.SECONDS).syncUninterruptibly();
    }

    @ParameterizedTest
    @EnumSource
    void theRenewalsOfATick(Topology topology) {
        try (TestProcess process = process(topology)) {
            LockEngine engine = engine(process);
            MultiLock locks = locks(engine, "renewed", 300);
            MultiLock.Outcome.Acquired held = locks.acquire();
            tickLater(engine); // Redis learns the script.
            awaitRenewals(engine, 300);
            long scripts = server.calls("evalsha");
            flushes.reset();
            tickLater(engine);
            awaitRenewals(engine, 600);
            // A hundred share one.
            assertThat(server.calls("evalsha") - scripts).isLessThan(10);
            assertThat(flushes.byNode())
                    .hasSize(topology.nodes)
                    .allSatisfy((node, count) -> assertThat(count).isOne());
            assertThat(held.leases()).allMatch(Lease::isValid);
            held.release();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aHundredNamesThatAreAcquiredAndReleasedTogether(Topology topology) {
        try (TestProcess process = process(topology)) {
            MultiLock locks = locks(engine(process), "together", 100);
            locks.acquire().release(); // Connects to every node, and Redis learns the script.
            flushes.reset();

            MultiLock.Outcome.Acquired held = locks.acquire();

            assertThat(flushes.byNode())
                    .hasSize(topology.nodes)
                    .allSatisfy((node, count) -> assertThat(count).isOne());
            held.release();
            assertThat(flushes.byNode())
                    .allSatisfy((node, count) -> assertThat(count).isEqualTo(2));
        }
    }

    /** The busy one is in the middle: what was acquired behind it is given back at once. */
    @ParameterizedTest
    @EnumSource
    void whatIsGivenBackBecauseOneIsBusy(Topology topology) {
        try (TestProcess process = process(topology);
                TestProcess other = process(topology)) {
            MultiLock locks = locks(engine(process), "refused", 100);
            locks.acquire().release();
            other.acquireOk("refused50", "host:b:1", LEASE.toMillis());
            flushes.reset();

            assertThat(locks.tryAcquire()).isEmpty();

            // The busy one also asks by a script.
            assertThat(flushes.byNode().values()).hasSize(topology.nodes).allMatch(count -> count <= 3);
            assertThat(other.release("refused50", "host:b:1")).isNotNull();
        }
    }

    /** It is connected and subscribed already: an engine checks all leases when it has subscribed. */
    private TestProcess process(Topology topology) {
        TestProcess process = new TestProcess(topology.connect.apply(resources), "host:a");
        TestProcess.answer(process.port.isLocked("any"));
        process.port.listen();
        await().atMost(LONG).until(() -> process.told.listening.get() > 0);
        return process;
    }

    /** Its clock is ahead of the system's by what was skipped. */
    private LockEngine engine(TestProcess process) {
        return new LockEngine(
                process.port,
                EngineSettings.standard("host:a"),
                () -> System.nanoTime() + skippedNanos.get(),
                Runnable::run);
    }

    private static void awaitRenewals(LockMonitor engine, long count) {
        await().atMost(LONG)
                .untilAsserted(() -> assertThat(engine.counters().renewals()).isEqualTo(count));
    }

    private void tickLater(LockEngine engine) {
        skippedNanos.addAndGet(LEASE.dividedBy(2).toNanos());
        engine.tick();
    }

    private static MultiLock locks(LockEngine engine, String name, int count) {
        return MultiLock.of(
                new LockTemplate(engine, LockDefaults.STANDARD),
                IntStream.range(0, count)
                        .mapToObj(i -> LockRequest.named(name + i)
                                .renewedLease(LEASE)
                                .tryLockTime(Duration.ZERO)
                                .build())
                        .toList());
    }

    /** Counts the flushes that carry a lock's command, by the node that they go to. */
    private static final class Flushes implements NettyCustomizer {

        private static final Set<String> COMMANDS = Set.of("SET", "EVALSHA", "EVAL", "DELEX", "DELIFEQ");

        private final Map<SocketAddress, Long> byNode = new ConcurrentHashMap<>();

        Map<SocketAddress, Long> byNode() {
            return byNode;
        }

        void reset() {
            byNode.clear();
        }

        @Override
        public void afterChannelInitialized(Channel channel) {
            channel.pipeline().addLast(new Counter());
        }

        private final class Counter extends ChannelOutboundHandlerAdapter {

            private boolean carries;

            @Override
            public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
                carries |= message instanceof RedisCommand<?, ?, ?> command
                        && COMMANDS.contains(command.getType().toString());
                context.write(message, promise);
            }

            @Override
            public void flush(ChannelHandlerContext context) {
                if (carries) {
                    byNode.merge(context.channel().remoteAddress(), 1L, Long::sum);
                    carries = false;
                }
                context.flush();
            }
        }
    }
}
