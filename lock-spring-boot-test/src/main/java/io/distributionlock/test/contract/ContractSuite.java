package io.distributionlock.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributionlock.Lease;
import io.distributionlock.LockDefaults;
import io.distributionlock.LockExecutor;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import io.distributionlock.LockTemplate;
import io.distributionlock.ReleaseResult;
import io.distributionlock.testing.StandstillWatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/**
 * Two processes, {@link #here} and {@link #there}, and names of their own for each test. After each test nothing of these names
 * may be left.
 */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
abstract class ContractSuite {

    static final Duration LONGEST_TEST = Duration.ofMinutes(2);

    /** For what happens at once, and may be late only because the machine is loaded. */
    static final Duration SOON = Duration.ofSeconds(15);

    /** Shorter than the grant lease (3 s): whoever gets a lock within it did not wait for an orphan to end. */
    static final Duration BEFORE_AN_ORPHAN_ENDS = Duration.ofMillis(2_500);

    Crew crew = new Crew();
    String name = freshName();
    private final List<String> names = new ArrayList<>(List.of(name));
    private LockFixture fixture;
    LockTemplate here;
    LockTemplate there;

    abstract LockFixture newFixture();

    @BeforeEach
    void startTwoProcesses() {
        fixture = newFixture();
        here = newProcess();
        there = newProcess();
    }

    @AfterEach
    void nothingIsLeft() {
        try (LockFixture closedAtLast = fixture;
                Crew closedFirst = crew) {
            closedFirst.close();
            eventually()
                    .untilAsserted(() -> assertThat(names)
                            .allSatisfy(used ->
                                    assertThat(closedAtLast.traces(used)).isEmpty()));
        }
    }

    final LockTemplate newProcess() {
        return new LockTemplate(newExecutor(), LockDefaults.STANDARD);
    }

    final LockExecutor newExecutor() {
        return fixture.newProcess();
    }

    private static String freshName() {
        return "contract:" + UUID.randomUUID();
    }

    final StandstillWatch watch() {
        return new StandstillWatch(fixture.servers());
    }

    /** Other processes and another name, as if there had been no test yet. What the one before has left ends by itself. */
    final void startAnew() {
        crew.close();
        fixture.close();
        crew = new Crew();
        name = freshName();
        names.clear();
        names.add(name);
        startTwoProcesses();
    }

    /** A further name of this test. */
    final String name(String suffix) {
        String further = name + suffix;
        names.add(further);
        return further;
    }

    /** One attempt, no waiting. */
    final LockRequest once() {
        return waiting(Duration.ZERO);
    }

    /** Waits for as long as a test may take. */
    final LockRequest patient() {
        return waiting(LONGEST_TEST);
    }

    final LockRequest waiting(Duration wait) {
        return LockRequest.named(name).tryLockTime(wait).build();
    }

    final LockRequest fixed(Duration hold) {
        return LockRequest.named(name)
                .tryLockTime(LONGEST_TEST)
                .holdLockTime(hold)
                .build();
    }

    final LockRequest renewed(Duration lease) {
        return LockRequest.named(name)
                .tryLockTime(LONGEST_TEST)
                .renewedLease(lease)
                .build();
    }

    /** How often the calling thread holds the lock here, in whatever way. */
    final int holdsHere() {
        return here.holdCount(name, LockOwner.currentThread());
    }

    final void assertBusy(LockTemplate process) throws Exception {
        assertThat(crew.call(() -> process.attempt(once()))).isInstanceOf(LockOutcome.Busy.class);
    }

    /** The lock can be got sooner than an orphan of somebody else would end. */
    final void assertFreeAtOnce(LockTemplate process) throws Exception {
        assertThat(crew.call(() -> acquireAndRelease(process, waiting(BEFORE_AN_ORPHAN_ENDS))))
                .isEqualTo(ReleaseResult.RELEASED);
    }

    static ReleaseResult acquireAndRelease(LockTemplate process, LockRequest request) {
        return process.acquire(request).release();
    }

    static Lease leaseOf(LockOutcome outcome) {
        assertThat(outcome).isInstanceOf(LockOutcome.Acquired.class);
        return ((LockOutcome.Acquired) outcome).lease();
    }

    static LockOutcome outcomeOf(CompletableFuture<LockOutcome> attempt) throws Exception {
        return attempt.get(LONGEST_TEST.toSeconds(), TimeUnit.SECONDS);
    }

    static ConditionFactory eventually() {
        return await().atMost(SOON).pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(10));
    }

    static void awaitLost(Lease lease) {
        eventually().until(() -> !lease.isValid());
    }

    static <T> Timed<T> timed(Callable<T> work) throws Exception {
        long start = System.nanoTime();
        T result = work.call();
        return new Timed<>(result, Duration.ofNanos(System.nanoTime() - start));
    }

    record Timed<T>(T result, Duration took) {}
}
