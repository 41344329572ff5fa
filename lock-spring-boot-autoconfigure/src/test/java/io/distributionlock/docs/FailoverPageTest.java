package io.distributionlock.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributionlock.Lease;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockRequest;
import io.distributionlock.LockTemplate;
import io.distributionlock.ReleaseResult;
import io.distributionlock.testing.LockContextRunner;
import io.distributionlock.testing.RedisBinary;
import io.distributionlock.testing.RedisProcess;
import io.distributionlock.testing.RedisSentinels;
import io.distributionlock.testing.ReplicatedRedis;
import io.distributionlock.testing.TcpProxy;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ContextConsumer;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** A planned failover by the page's commands loses no lock, and what the page says of log and meters is what they show. */
@ExtendWith(OutputCaptureExtension.class)
class FailoverPageTest {

    private static final Page PAGE = Page.of("docs/failover.md");

    private static final Pattern QUOTE = Pattern.compile("`([^`]+)`");

    private final MeterRegistry meters = new SimpleMeterRegistry();
    private final ReplicatedRedis servers = ReplicatedRedis.start(RedisBinary.GIVEN, 1);
    private final RedisProcess master = servers.master();
    private final RedisProcess replica = servers.replicas().get(0);

    /** The address that moves to the new master. */
    private final TcpProxy address = new TcpProxy(master.port());

    @AfterEach
    void end() {
        address.close();
        servers.close();
    }

    @Test
    void aPlannedFailoverLosesNoLock(CapturedOutput log) {
        application(context -> {
            LockTemplate locks = context.getBean(LockTemplate.class);
            Lease held = acquired(locks);

            assertThat(master.command(command("redis-cli FAILOVER TO"))).isEqualTo("OK");
            eventually().until(() -> replica.info("replication", "role").equals("master"));
            CompletableFuture<LockOutcome> meanwhile = locks.acquireAsync(LockRequest.named("meanwhile")
                    .tryLockTime(Duration.ofMinutes(1))
                    .build());
            eventually().until(() -> says(log, row(1)));
            moveAddress();

            assertThat(meanwhile).succeedsWithin(Duration.ofSeconds(30)).isInstanceOf(LockOutcome.Acquired.class);
            eventually().until(held::confirm);
            assertThat(replica.command("EXISTS", "distribution-lock:{held}")).isEqualTo(1L);
            assertThat(held.release()).isEqualTo(ReleaseResult.RELEASED);
            assertThat(log.getAll()).doesNotContain("Lost lock");
        });
    }

    @Test
    void aPlannedFailoverBySentinelsLosesNoLock(CapturedOutput log) {
        try (RedisSentinels sentinels = RedisSentinels.start(RedisBinary.GIVEN, servers)) {
            String nodes =
                    sentinels.ports().stream().map(port -> "127.0.0.1:" + port).collect(Collectors.joining(","));
            application(
                    context -> {
                        Lease held = acquired(context.getBean(LockTemplate.class));
                        assertThat(master.command(command("redis-cli CLIENT PAUSE")))
                                .isEqualTo("OK");
                        servers.awaitReplicated();
                        sentinels.failOver(command("redis-cli -p 26379 SENTINEL FAILOVER"));
                        RedisProcess promoted = sentinels.awaitMasterOtherThan(master);

                        eventually().until(held::confirm);
                        assertThat(promoted.command("EXISTS", "distribution-lock:{held}"))
                                .isEqualTo(1L);
                        assertThat(held.release()).isEqualTo(ReleaseResult.RELEASED);
                        assertThat(log.getAll()).doesNotContain("Lost lock");
                    },
                    "spring.data.redis.sentinel.master=" + RedisSentinels.MASTER,
                    "spring.data.redis.sentinel.nodes=" + nodes);
        }
    }

    @Test
    void anUnplannedOneSaysWhatThePageShows(CapturedOutput log) {
        application(context -> {
            LockTemplate locks = context.getBean(LockTemplate.class);
            servers.detach(replica);
            Lease held = acquired(locks);
            locks.acquire(LockRequest.named("short")
                    .renewedLease(Duration.ofSeconds(8))
                    .build());

            master.kill();
            eventually().until(() -> locks.attempt(single()) instanceof LockOutcome.BackendFailed);
            eventually().until(() -> says(log, row(0)) && says(log, row(4)));
            replica.command("REPLICAOF", "NO", "ONE");
            moveAddress();

            eventually().until(() -> locks.attempt(single()) instanceof LockOutcome.Acquired);
            eventually().until(() -> says(log, row(2)) && says(log, row(3)));
            assertThat(held.isValid()).isFalse();
            assertThat(held.lossReason()).isEqualTo(Lease.LossReason.GONE);
            Stream.of(0, 3, 4)
                    .forEach(number -> assertThat(counted(meterOf(row(number))))
                            .as(row(number).toString())
                            .isTrue());
        });
    }

    private void application(ContextConsumer<AssertableApplicationContext> use, String... properties) {
        ObservationRegistry observations = ObservationRegistry.create();
        observations.observationConfig().observationHandler(new DefaultMeterObservationHandler(meters));
        LockContextRunner.redis(address.port())
                .withInitializer(context -> context.getBeanFactory().registerSingleton("observations", observations))
                .withPropertyValues(
                        "distribution-lock.redis.command-timeout=5s", "distribution-lock.shutdown.timeout=0s")
                .withPropertyValues(properties)
                .run(use);
    }

    /** The first attempt connects, which may take long on a busy machine. */
    private static Lease acquired(LockTemplate locks) {
        return eventually().until(() -> locks.acquire("held"), Objects::nonNull);
    }

    private static LockRequest single() {
        return LockRequest.named("other").tryLockTime(Duration.ZERO).build();
    }

    private void moveAddress() {
        address.leadTo(replica.port());
        address.cut();
    }

    /** The page's command that begins so, with what stands in brackets there. */
    private String[] command(String start) {
        String command = PAGE.lines().stream()
                .flatMap(line -> QUOTE.matcher(line).results())
                .map(quote -> quote.group(1))
                .filter(quote -> quote.startsWith(start))
                .findFirst()
                .orElseThrow();
        return command.replaceFirst("redis-cli (-p \\d+ )?", "")
                .replace("<master>", RedisSentinels.MASTER)
                .replace("<host>", "127.0.0.1")
                .replace("<port>", String.valueOf(replica.port()))
                .split(" ");
    }

    /** What log and meters show meanwhile. */
    private static List<String> row(int number) {
        List<List<String>> rows = PAGE.section("## Meanwhile").stream()
                .filter(line -> line.startsWith("| ") && !line.startsWith("| the log"))
                .map(Page::cells)
                .toList();
        assertThat(rows).hasSize(5);
        return rows.get(number);
    }

    /** All that the row quotes from the log. */
    private static boolean says(CapturedOutput log, List<String> row) {
        return QUOTE.matcher(row.get(0))
                .results()
                .allMatch(quote -> Stream.of(quote.group(1).split("…"))
                        .allMatch(part -> log.getAll().contains(part)));
    }

    private static List<String> meterOf(List<String> row) {
        return QUOTE.matcher(row.get(1)).results().map(quote -> quote.group(1)).toList();
    }

    private boolean counted(List<String> meterAndOutcome) {
        return meters.get("distribution.lock." + meterAndOutcome.get(0))
                        .tag("outcome", meterAndOutcome.get(1))
                        .timer()
                        .count()
                > 0;
    }

    private static ConditionFactory eventually() {
        return await().atMost(Duration.ofSeconds(60)).ignoreExceptions();
    }
}
