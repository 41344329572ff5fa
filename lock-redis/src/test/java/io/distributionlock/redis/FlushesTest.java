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
import io.distributionlock.testing.RedisConnections;
import io.distributionlock.testing.RedisProcess;
import io.lettuce.core.protocol.RedisCommand;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is sent at the same time leaves in one flush, counted at the channels of the client. */
@Tag("server")
@Tag("boot4")
class FlushesTest {

    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Duration LEASE = Duration.ofMinutes(10);

    private final RedisProcess redis = RedisProcess.start();
    private final Flushes flushes = new Flushes();
    private final ClientResources resources =
            ClientResources.builder().nettyCustomizer(flushes).build();
    private final AtomicLong skippedNanos = new AtomicLong();

    @AfterEach
    void end() {
        resources.shutdown(0, 0, TimeUnit.SECONDS).syncUninterruptibly();
        redis.close();
    }

    @Test
    void theRenewalsOfATick() {
        try (TestProcess process = process()) {
            LockEngine engine = engine(process);
            MultiLock locks = locks(engine, "renewed", 300);
            MultiLock.Outcome.Acquired held = locks.acquire();
            tickLater(engine); // Redis learns the script.
            awaitRenewalsOf(held);
            long scripts = redis.calls("evalsha");
            flushes.reset();
            tickLater(engine);
            awaitRenewalsOf(held);
            // A hundred share one, and no more: a script blocks Redis.
            assertThat(redis.calls("evalsha") - scripts).isBetween(3L, 9L);
            assertThat(flushes.count()).isOne();
            assertThat(held.leases()).allMatch(Lease::isValid);
            held.release();
        }
    }

    @Test
    void aHundredNamesThatAreAcquiredAndReleasedTogether() {
        try (TestProcess process = process()) {
            MultiLock locks = locks(engine(process), "together", 100);
            locks.acquire().release(); // Connects, and Redis learns the script.
            flushes.reset();

            MultiLock.Outcome.Acquired held = locks.acquire();

            assertThat(flushes.count()).isOne();
            held.release();
            assertThat(flushes.count()).isEqualTo(2);
        }
    }

    /** The busy one is in the middle: what was acquired behind it is given back at once. */
    @Test
    void whatIsGivenBackBecauseOneIsBusy() {
        try (TestProcess process = process();
                TestProcess other = process()) {
            MultiLock locks = locks(engine(process), "refused", 100);
            locks.acquire().release();
            other.acquireOk("refused50", "host:b:1", LEASE.toMillis());
            flushes.reset();

            assertThat(locks.tryAcquire()).isEmpty();

            // The busy one also asks by a script.
            assertThat(flushes.count()).isBetween(1, 3);
            assertThat(other.release("refused50", "host:b:1")).isNotNull();
        }
    }

    /** It is connected and subscribed already: an engine checks all leases when it has subscribed. */
    private TestProcess process() {
        TestProcess process = new TestProcess(RedisConnections.to(redis.port(), resources), "host:a");
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

    private static void awaitRenewalsOf(MultiLock.Outcome.Acquired held) {
        await().atMost(LONG)
                .until(() -> held.leases().stream()
                        .allMatch(lease -> lease.remaining().compareTo(LEASE.dividedBy(2)) > 0));
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

    /** Counts the flushes that carry a lock's command. */
    private static final class Flushes implements NettyCustomizer {

        private static final Set<String> COMMANDS = Set.of("SET", "EVALSHA", "EVAL", "DELEX", "DELIFEQ");

        private final AtomicInteger count = new AtomicInteger();

        int count() {
            return count.get();
        }

        void reset() {
            count.set(0);
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
                    count.incrementAndGet();
                    carries = false;
                }
                context.flush();
            }
        }
    }
}
