package io.distributionlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributionlock.Lease;
import io.distributionlock.LockKind;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockRequest;
import io.distributionlock.LockTemplate;
import io.distributionlock.backend.EngineSettings;
import io.distributionlock.testing.RedisConnections;
import io.distributionlock.testing.RedisProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * Very many waiters, and very many names. Prints what they cost; asserts that all are served, in their turn, and that nothing stays. A
 * whole flood takes minutes: {@code -Dflood.waiters=100000 -Dflood.names=1000000}.
 */
@Tag("long")
class FloodTest {

    private static final int WAITERS = Integer.getInteger("flood.waiters", 5_000);
    private static final int NAMES = Integer.getInteger("flood.names", 50_000);
    private static final int NUMBERED = NAMES / 10;
    private static final int AT_ONCE = 200;
    private static final int PROCESSES = 4;
    private static final Duration VERY_LONG = Duration.ofMinutes(30);

    private final RedisProcess redis = RedisProcess.start();
    private final List<LettuceConnectionFactory> factories = new ArrayList<>();
    private final List<RedisLockExecutor> executors = new ArrayList<>();

    @AfterEach
    void end() {
        executors.forEach(executor -> executor.stop(Duration.ZERO));
        factories.forEach(LettuceConnectionFactory::destroy);
        redis.close();
    }

    private LockTemplate process(String instance) {
        LettuceConnectionFactory factory = RedisConnections.to(redis.port());
        factories.add(factory);
        RedisLockExecutor executor = new RedisLockExecutor(
                new StringRedisTemplate(factory),
                "distribution-lock",
                EngineSettings.standard(instance).withCommandTimeout(Duration.ofSeconds(30)));
        executors.add(executor);
        return LockTemplate.builder(executor).build();
    }

    @Test
    void veryManyFairWaitersAreServedInTheirTurn() throws Exception {
        List<LockTemplate> processes = new ArrayList<>();
        for (int i = 0; i < PROCESSES; i++) {
            processes.add(process("host:" + i));
        }
        Lease first = processes
                .get(0)
                .acquire(LockRequest.named("order").tryLockTime(VERY_LONG).build());
        long heap = heap();
        long before = redisMemory();
        CountDownLatch served = new CountDownLatch(WAITERS);
        AtomicInteger failed = new AtomicInteger();
        AtomicLongArray tokens = new AtomicLongArray(WAITERS);
        long start = System.nanoTime();
        for (int i = 0; i < WAITERS; i++) {
            LockRequest request = LockRequest.named("order")
                    .kind(LockKind.FAIR)
                    .tryLockTime(VERY_LONG)
                    .build();
            int place = i;
            processes.get(i % PROCESSES).acquireAsync(request).whenComplete((outcome, failure) -> {
                if (outcome instanceof LockOutcome.Acquired acquired) {
                    tokens.set(place, acquired.lease().fencingToken());
                    acquired.lease().releaseAsync();
                } else {
                    failed.incrementAndGet();
                }
                served.countDown();
            });
        }
        awaitUntil(() -> (Long) redis.command("ZCARD", "distribution-lock:{order}:queue") >= WAITERS);
        double queued = seconds(start);
        double busy = processor();
        long scripts = scripts();
        long waiting = System.nanoTime();
        // Each waiter asks again, with up to a hundred others of its process.
        awaitUntil(() -> scripts() - scripts >= WAITERS / 100);
        double load = (processor() - busy) / seconds(waiting);
        System.out.printf(
                "Redis %s: %,d fair waiters in %d processes queued in %.1f s; %,d B each here, %,d B each in Redis; while they"
                        + " wait, Redis uses %.0f %% of a processor%n",
                redis.version(),
                WAITERS,
                PROCESSES,
                queued,
                (heap() - heap) / WAITERS,
                (redisMemory() - before) / WAITERS,
                100 * load);
        long drain = System.nanoTime();
        first.release();
        assertThat(served.await(20, TimeUnit.MINUTES)).isTrue();
        System.out.printf("served in %.1f s, %.0f a second%n", seconds(drain), WAITERS / seconds(drain));
        assertThat(failed).hasValue(0);
        awaitUntil(() -> (Long) redis.command("DBSIZE") <= 1);
        assertThat(redis.command("KEYS", "distribution-lock:{order}*"))
                .isIn(List.of(List.of(), List.of("distribution-lock:{order}:fence")));
    }

    @Test
    void aMillionNamesLeaveNothing() throws Exception {
        LockTemplate locks = process("host:a");
        section(locks, "warm-up", true).get(1, TimeUnit.MINUTES);
        long heap = heap();
        long before = redisMemory();
        System.out.printf(
                "Redis %s: %,d names in %.0f s%n", redis.version(), NAMES, all(locks, "plain:", NAMES, false));
        System.out.printf(
                "  left of each: %.2f B here, %.2f B in Redis%n",
                (double) (heap() - heap) / NAMES, (double) (redisMemory() - before) / NAMES);
        assertThat(redis.command("KEYS", "*plain:*")).isEqualTo(List.of());

        before = redisMemory();
        all(locks, "numbered:", NUMBERED, true);
        System.out.printf(
                "  with a fencing token: %.2f B here, %.0f B in Redis for up to ten minutes%n",
                (double) (heap() - heap) / NUMBERED, (double) (redisMemory() - before) / NUMBERED);
        assertThat((Long) redis.command("DBSIZE")).isEqualTo(NUMBERED + 1L);
        assertThat((Long) redis.command("PTTL", "distribution-lock:{numbered:7}:fence"))
                .isBetween(1L, Duration.ofMinutes(10).toMillis());
    }

    /** Returns the seconds that it took. */
    private static double all(LockTemplate locks, String names, int count, boolean numbered) throws Exception {
        long start = System.nanoTime();
        Semaphore free = new Semaphore(AT_ONCE);
        AtomicInteger failed = new AtomicInteger();
        for (int i = 0; i < count; i++) {
            assertThat(free.tryAcquire(1, TimeUnit.MINUTES)).isTrue();
            section(locks, names + i, numbered).whenComplete((done, failure) -> {
                failed.addAndGet(failure == null ? 0 : 1);
                free.release();
            });
        }
        assertThat(free.tryAcquire(AT_ONCE, 1, TimeUnit.MINUTES)).isTrue();
        assertThat(failed).hasValue(0);
        return seconds(start);
    }

    private static CompletableFuture<?> section(LockTemplate locks, String name, boolean numbered) {
        return locks.acquireAsync(LockRequest.named(name).build()).thenCompose(outcome -> {
            Lease lease = ((LockOutcome.Acquired) outcome).lease();
            return numbered
                    ? lease.fencingTokenAsync().thenCompose(token -> lease.releaseAsync())
                    : lease.releaseAsync();
        });
    }

    private static void awaitUntil(Callable<Boolean> condition) {
        await().atMost(Duration.ofMinutes(5))
                .pollInterval(Duration.ofMillis(200))
                .until(condition);
    }

    /** How many scripts Redis has run. */
    private long scripts() {
        String calls = redis.info("commandstats", "cmdstat_evalsha");
        return Long.parseLong(calls.substring(calls.indexOf('=') + 1, calls.indexOf(',')));
    }

    private static double seconds(long since) {
        return (System.nanoTime() - since) / 1e9;
    }

    private static long heap() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    private long redisMemory() {
        return Long.parseLong(redis.info("memory", "used_memory"));
    }

    private double processor() {
        return Double.parseDouble(redis.info("cpu", "used_cpu_sys"))
                + Double.parseDouble(redis.info("cpu", "used_cpu_user"));
    }
}
