package io.distributionlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributionlock.Lease;
import io.distributionlock.LockDefaults;
import io.distributionlock.LockRequest;
import io.distributionlock.LockTemplate;
import io.distributionlock.backend.EngineSettings;
import io.distributionlock.testing.RedisConnections;
import io.distributionlock.testing.RedisProcess;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import javax.management.JMException;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/** What many locks cost that one process holds and renews. */
class ManyRenewedLocksTest {

    private static final Duration LEASE = Duration.ofSeconds(3);
    private static final Duration LONG = Duration.ofSeconds(60);

    private final RedisProcess redis = RedisProcess.start();
    private final LettuceConnectionFactory factory = RedisConnections.to(redis.port());
    private final RedisLockExecutor executor = new RedisLockExecutor(
            new StringRedisTemplate(factory), "distribution-lock", EngineSettings.standard("host:a"));
    private final LockTemplate locks = new LockTemplate(executor, LockDefaults.STANDARD);

    @AfterEach
    void end() {
        executor.stop(Duration.ZERO);
        factory.destroy();
        redis.close();
    }

    @Test
    void renewalsShareScripts() {
        int count = 500;
        List<Lease> held = acquire(count, LEASE);
        LockRates before = rates();

        await().atMost(LONG).until(() -> executor.counters().renewals() >= 3L * count);

        LockRates after = rates();
        long renewals = after.renewals - before.renewals;
        // The locks were acquired within a few ticks of 100 ms each. Many more scripts would mean that renewals are
        // sent alone.
        assertThat(after.scripts - before.scripts).isLessThanOrEqualTo(renewals / 10);
        assertThat(after.expiries - before.expiries).isLessThanOrEqualTo(2 * renewals + 2L * count);
        assertThat(held).allMatch(Lease::isValid);
    }

    /** With the name's entry in a map and its claim's text, about 450 bytes. */
    @Test
    void aHeldLockTakesLittleMemory() throws JMException {
        int count = 5_000;
        acquire(1_000, Duration.ofMinutes(1)).forEach(Lease::release);
        List<LockRequest> requests = requests(count, Duration.ofMinutes(1));
        List<Lease> held = new ArrayList<>(count);
        long before = liveBytes();

        requests.forEach(request -> held.add(locks.acquire(request)));

        assertThat((liveBytes() - before) / count).isBetween(100L, 400L);
        assertThat(held).allMatch(Lease::isValid);
    }

    private List<Lease> acquire(int count, Duration lease) {
        return requests(count, lease).stream().map(locks::acquire).toList();
    }

    private static List<LockRequest> requests(int count, Duration lease) {
        return IntStream.range(0, count)
                .mapToObj(
                        i -> LockRequest.named("order:" + i).renewedLease(lease).build())
                .toList();
    }

    private record LockRates(long renewals, long scripts, long expiries) {}

    private LockRates rates() {
        return new LockRates(executor.counters().renewals(), redis.calls("evalsha"), redis.calls("pexpire"));
    }

    /** The bytes of all reachable objects of the library's classes: what else lives in this process changes meanwhile. */
    private static long liveBytes() throws JMException {
        String histogram = (String) Objects.requireNonNull(ManagementFactory.getPlatformMBeanServer()
                .invoke(
                        new ObjectName("com.sun.management:type=DiagnosticCommand"),
                        "gcClassHistogram",
                        new Object[] {null},
                        new String[] {String[].class.getName()}));
        return histogram
                .lines()
                .map(line -> line.strip().split("\\s+"))
                .filter(columns -> columns.length > 3 && columns[3].startsWith("io.distributionlock."))
                .mapToLong(columns -> Long.parseLong(columns[2]))
                .sum();
    }
}
