package io.distributionlock.redis;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributionlock.Lease;
import io.distributionlock.LockDefaults;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockRequest;
import io.distributionlock.LockTemplate;
import io.distributionlock.backend.EngineSettings;
import io.distributionlock.testing.RedisConnections;
import io.distributionlock.testing.RedisProcess;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import javax.management.JMException;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/** What many locks that one process holds and renews cost in memory. */
@Tag("server")
@Tag("boot4")
class ManyRenewedLocksTest {

    private static final Duration LONG = Duration.ofSeconds(60);

    /** So long that no renewal, which takes memory for a moment, is due within a test. */
    private static final Duration LEASE = Duration.ofHours(3);

    /** So long that no answer is late, even on a very busy machine: whatever was asked for by a late one is kept with the lock. */
    private static final Duration COMMAND_TIMEOUT = Duration.ofMinutes(20);

    /** So few that what the client pools for the commands under way does not count. */
    private static final int AT_ONCE = 100;

    /** So many that what else lives in this process does not count. */
    private static final int MANY = 10_000;

    /** Shared, like the one of a template. */
    private static final Consumer<Lease> REPORT = lost -> {};

    private final RedisProcess redis = RedisProcess.start();
    private final LettuceConnectionFactory factory = RedisConnections.to(redis.port());
    private final RedisLockExecutor executor = new RedisLockExecutor(
            new StringRedisTemplate(factory),
            "distribution-lock",
            EngineSettings.standard("host:a").withCommandTimeout(COMMAND_TIMEOUT));
    private final LockTemplate locks = new LockTemplate(executor, LockDefaults.STANDARD);

    @AfterEach
    void end() {
        executor.stop(Duration.ZERO);
        factory.destroy();
        redis.close();
    }

    /**
     * Counted are the names, the leases that the caller keeps, a listener for the loss of each as an application's template adds it,
     * the library's objects, and the entries of its maps; without arrays, which are the texts of the names and the tables of the maps.
     */
    @Test
    void aHeldLockTakesLittleMemory() throws JMException {
        warmUp();
        List<Lease> held = new ArrayList<>(MANY);
        String before = liveObjects();

        for (int i = 0; i < MANY; i++) {
            Lease lease = locks.acquire(request("order:" + i));
            lease.onLost(REPORT);
            held.add(lease);
        }

        assertBytesOfEach(before, 300, 430);
        assertThat(held.stream().allMatch(Lease::isValid)).isTrue();

        held.forEach(Lease::release);
        held.clear();
        assertBytesOfEach(before, 0, 0);
    }

    /** Counted is the same, and the future and the outcome that the caller keeps; without a listener. */
    @Test
    void aKeptFutureOfAHeldLockTakesLittleMoreMemory() throws JMException {
        warmUp();
        List<CompletableFuture<LockOutcome>> held = new ArrayList<>(MANY);
        String before = liveObjects();

        for (int i = 0; i < MANY; i++) {
            held.add(locks.acquireAsync(request("order:" + i)));
            if (held.size() % AT_ONCE == 0) {
                held.subList(held.size() - AT_ONCE, held.size()).forEach(CompletableFuture::join);
            }
        }

        assertBytesOfEach(before, 300, 460);
        assertThat(held).allMatch(each -> each.join() instanceof LockOutcome.Acquired);
    }

    /** In the end: what was only on its way is let go soon after. */
    private static void assertBytesOfEach(String before, long least, long most) {
        await().atMost(LONG).untilAsserted(() -> assertThat(bytesOfEach(before)).isBetween(least, most));
    }

    /** Lets what is kept for the connection grow as far as it will, and waits until the locks that this took are let go. */
    private void warmUp() {
        IntStream.range(0, MANY)
                .mapToObj(i -> locks.acquire(request("order:" + i)))
                .toList()
                .forEach(Lease::release);
        await().atMost(LONG)
                .untilAsserted(() -> assertThat(byClass(liveObjects()))
                        .as("Objects of the library, as many as there were locks")
                        .noneSatisfy((type, live) -> {
                            assertThat(type).startsWith("io.distributionlock.");
                            assertThat(live.count).isGreaterThan(MANY / 2);
                        }));
    }

    private static LockRequest request(String name) {
        return LockRequest.named(name)
                .renewedLease(LEASE)
                .tryLockTime(COMMAND_TIMEOUT)
                .build();
    }

    private record Instances(long count, long bytes) {}

    /**
     * The bytes of what each of the many has had since: objects of a class that are as many, or several times as many. What else this
     * process does meanwhile makes or lets go far fewer.
     */
    private static long bytesOfEach(String before) throws JMException {
        // The texts are read only now, because what is read would count as well.
        String now = liveObjects();
        Map<String, Instances> earlier = byClass(before);
        return byClass(now).entrySet().stream()
                .mapToLong(live -> {
                    Instances since = live.getValue();
                    long added = since.count - earlier.getOrDefault(live.getKey(), new Instances(0, 0)).count;
                    return Math.round((double) added / MANY) * (since.bytes / since.count);
                })
                .sum();
    }

    /** How many objects of each class can be reached, and their bytes, as a table. */
    private static String liveObjects() throws JMException {
        return (String) Objects.requireNonNull(ManagementFactory.getPlatformMBeanServer()
                .invoke(
                        new ObjectName("com.sun.management:type=DiagnosticCommand"),
                        "gcClassHistogram",
                        new Object[] {null},
                        new String[] {String[].class.getName()}));
    }

    /** Without arrays. */
    private static Map<String, Instances> byClass(String histogram) {
        return histogram
                .lines()
                .map(line -> line.strip().split("\\s+"))
                .filter(fields -> fields[0].endsWith(":") && !fields[3].startsWith("["))
                .collect(toMap(
                        fields -> fields[3],
                        fields -> new Instances(Long.parseLong(fields[1]), Long.parseLong(fields[2])),
                        (one, ofAnotherLoader) ->
                                new Instances(one.count + ofAnotherLoader.count, one.bytes + ofAnotherLoader.bytes)));
    }
}
