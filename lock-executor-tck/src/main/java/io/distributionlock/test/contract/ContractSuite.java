package io.distributionlock.test.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.distributionlock.Lease;
import io.distributionlock.Lease.LossReason;
import io.distributionlock.LockDefaults;
import io.distributionlock.LockExecutor;
import io.distributionlock.LockKind;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import io.distributionlock.LockTemplate;
import io.distributionlock.ReleaseResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/**
 * The frame of each test: two processes, {@link #here} and {@link #there}, and names that no other test uses. At the end the
 * backend must store nothing about these names.
 */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
abstract class ContractSuite {

    static final Duration MAX_TEST_TIME = Duration.ofMinutes(2);

    /** The limit for what should happen at once, generous for the sake of busy machines. */
    static final Duration SOON = Duration.ofSeconds(15);

    /** Shorter than any lease that a crashed waiter leaves behind (3 s or more): a waiter that is faster was really notified. */
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
        assumeTrue(
                here.kinds().containsAll(neededKinds()), () -> "The executor has no locks of " + neededKinds() + ".");
        connect(here);
        connect(there);
    }

    /** On a busy machine, the first command of a process would take longer than some tests wait. */
    private void connect(LockTemplate process) {
        LockRequest request =
                LockRequest.named(name(":connect")).tryLockTime(MAX_TEST_TIME).build();
        acquireAndRelease(process, request);
    }

    /** The kinds without which a suite is skipped. */
    Set<LockKind> neededKinds() {
        return Set.of();
    }

    @AfterEach
    void nothingIsLeft() {
        try (LockFixture closedAtLast = fixture;
                Crew closedFirst = crew) {
            closedFirst.close();
            awaitUntil(() -> left(closedAtLast).isEmpty(), () -> "The backend still stores " + left(closedAtLast));
        }
    }

    private List<String> left(LockFixture of) {
        return names.stream().flatMap(used -> of.traces(used).stream()).toList();
    }

    /** The tests of the kinds that the executor supports. */
    final List<LockKind> supported(LockKind... kinds) {
        return Stream.of(kinds).filter(here.kinds()::contains).toList();
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

    /** The lease is lost for one of these reasons, or its executor tells none. */
    final void assertLossReason(Lease lost, LossReason... possible) {
        if (fixture.tellsLossReasons()) {
            assertThat(lost.lossReason()).isIn((Object[]) possible);
        } else {
            assertThat(lost.lossReason()).isEqualTo(LossReason.UNKNOWN);
        }
    }

    final StandstillWatch watch() {
        return new StandstillWatch(fixture.openProbes());
    }

    /** Begins again with other processes and another name. What the first run has left expires by itself. */
    final void startAnew() {
        crew.close();
        fixture.close();
        crew = new Crew();
        name = freshName();
        names.clear();
        names.add(name);
        startTwoProcesses();
    }

    /** The kinds that make a name a lock. */
    static LockKind[] lockKinds() {
        return EnumSet.complementOf(EnumSet.of(LockKind.PERMIT)).toArray(LockKind[]::new);
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

    /** Waits as long as a test may take. */
    final LockRequest patient() {
        return waiting(MAX_TEST_TIME);
    }

    final LockRequest waiting(Duration wait) {
        return LockRequest.named(name).tryLockTime(wait).build();
    }

    final LockRequest fixed(Duration hold) {
        return LockRequest.named(name)
                .tryLockTime(MAX_TEST_TIME)
                .holdLockTime(hold)
                .build();
    }

    final LockRequest renewed(Duration lease) {
        return LockRequest.named(name)
                .tryLockTime(MAX_TEST_TIME)
                .renewedLease(lease)
                .build();
    }

    /** How often the calling thread holds the lock here, by holds of all kinds. */
    final int holdsHere() {
        return here.holdCount(name, LockOwner.currentThread());
    }

    final LockRequest.Builder asking(LockKind kind, Duration wait) {
        return LockRequest.named(name).kind(kind).tryLockTime(wait);
    }

    /** Starts an attempt and returns when it stands in the queue, so that the next attempt arrives later. */
    final CompletableFuture<LockOutcome> queueUp(LockTemplate process, LockRequest request) {
        CompletableFuture<LockOutcome> attempt = process.acquireAsync(request);
        // A process sends its commands in order: with this answer, the attempt has arrived.
        process.lock(name).isLocked();
        return attempt;
    }

    /** Whether anybody held the lock. */
    final boolean forceRelease() throws Exception {
        return there.forceRelease(name).get(SOON.toSeconds(), TimeUnit.SECONDS);
    }

    final void assertBusy(LockTemplate process) throws Exception {
        assertBusy(process, once());
    }

    /** Another thread does not acquire it. */
    final void assertBusy(LockTemplate process, LockRequest request) throws Exception {
        assertThat(crew.call(() -> process.attempt(request)))
                .as(request.kind().name())
                .isInstanceOf(LockOutcome.Busy.class);
    }

    /** The lock can be acquired sooner than by waiting for a lease to expire. */
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
        return attempt.get(MAX_TEST_TIME.toSeconds(), TimeUnit.SECONDS);
    }

    static void awaitUntil(Callable<Boolean> condition) {
        awaitUntil(condition, () -> "What the test waits for did not happen");
    }

    /** Waits until the condition holds; the calling thread evaluates it. */
    static void awaitUntil(Callable<Boolean> condition, Supplier<String> problem) {
        long start = System.nanoTime();
        try {
            while (!condition.call()) {
                if (System.nanoTime() - start > SOON.toNanos()) {
                    throw new AssertionError(problem.get() + ", within " + SOON.toSeconds() + " s.");
                }
                TimeUnit.MILLISECONDS.sleep(10);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("The thread of the test was interrupted.", e);
        } catch (Exception e) {
            throw new AssertionError("A condition of the test could not be evaluated.", e);
        }
    }

    static void awaitLost(Lease lease) {
        awaitUntil(() -> !lease.isValid());
    }

    static <T> Timed<T> timed(Callable<T> work) throws Exception {
        long start = System.nanoTime();
        T result = work.call();
        return new Timed<>(result, Duration.ofNanos(System.nanoTime() - start));
    }

    record Timed<T>(T result, Duration took) {}
}
