package io.distributionlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributionlock.testing.HeldLease;
import io.distributionlock.testing.ScriptedLockExecutor;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Several locks together: all or none. */
class MultiLockTest {

    private final ScriptedLockExecutor executor = new ScriptedLockExecutor();
    private final LockTemplate template =
            new LockTemplate(executor, new LockDefaults(Duration.ofSeconds(20), Duration.ofSeconds(60), null));

    @AfterEach
    void nothingIsLeft() {
        assertThat(executor.nothingHeldOrWaiting()).isTrue();
    }

    private MultiLock of(String... names) {
        return of(Duration.ofMillis(200), names);
    }

    private MultiLock of(Duration wait, String... names) {
        return MultiLock.of(
                template,
                List.of(names).stream()
                        .map(name -> template.request(name).tryLockTime(wait).build())
                        .toList());
    }

    @Test
    void locksAreAcquiredInTheOrderOfTheirNamesAndReleasedInReverse() {
        assertThat(of("b", "a", "b").<String>execute(() -> "held " + executor.isHeld("a") + executor.isHeld("b")))
                .isEqualTo("held truetrue");
        assertThat(executor.events()).containsExactly("lock a", "lock b", "unlock b", "unlock a");
    }

    @Test
    void ofSeveralRequestsForOneNameTheStrongestCounts() {
        LockRequest write = template.request("a").kind(LockKind.WRITE).build();
        LockRequest read = template.request("a").kind(LockKind.READ).build();
        LockRequest fixed = template.request("a")
                .kind(LockKind.WRITE)
                .holdLockTime(Duration.ofSeconds(5))
                .build();
        assertThat(MultiLock.of(template, List.of(write, read)).requests()).containsExactly(write);
        assertThat(MultiLock.of(template, List.of(read, write)).requests()).containsExactly(write);
        assertThat(MultiLock.of(template, List.of(fixed, write, read)).requests())
                .containsExactly(write);
    }

    @Test
    void whatTheWorkThrowsArrivesAsItIs() {
        IllegalStateException own = new IllegalStateException("own");
        assertThatThrownBy(() -> of("a", "b").execute(() -> {
                    throw own;
                }))
                .isSameAs(own);
    }

    @Test
    void ofSeveralRequestsForOneNameOneThatIsFencedIsEnough() {
        LockRequest fenced = LockRequest.named("a")
                .holdLockTime(Duration.ofSeconds(10))
                .fenced()
                .build();
        LockRequest longer =
                LockRequest.named("a").holdLockTime(Duration.ofSeconds(20)).build();
        for (List<LockRequest> both : List.of(List.of(fenced, longer), List.of(longer, fenced))) {
            LockRequest stronger = both.get(0).strongerOf(both.get(1));
            assertThat(stronger.fenced()).isTrue();
            assertThat(stronger.leaseTime()).isEqualTo(longer.leaseTime());
        }
        assertThat(longer.strongerOf(longer).fenced()).isFalse();
    }

    @Test
    void ofSeveralRequestsForOneNameOneThatRefusesReentryIsEnough() {
        LockRequest once = LockRequest.named("a").refuseReentry().build();
        LockRequest again = LockRequest.named("a").build();
        assertThat(once.strongerOf(again).refuseReentry()).isTrue();
        assertThat(again.strongerOf(once).refuseReentry()).isTrue();
        assertThat(again.strongerOf(again).refuseReentry()).isFalse();
    }

    @Test
    void ofSeveralRequestsForOneNameOneThatRefusesRepeatsIsEnough() {
        LockRequest submit =
                LockRequest.named("a").refuseRepeats(Duration.ofSeconds(9)).build();
        LockRequest fixed =
                LockRequest.named("a").holdLockTime(Duration.ofSeconds(5)).build();
        LockRequest renewed =
                LockRequest.named("a").renewedLease(Duration.ofSeconds(70)).build();
        for (LockRequest other : List.of(fixed, renewed)) {
            assertThat(List.of(submit.strongerOf(other), other.strongerOf(submit)))
                    .allSatisfy(both -> {
                        assertThat(both.refuseRepeats()).isTrue();
                        assertThat(both.tryLockTime()).isZero();
                        assertThat(both.minHoldTime()).isEqualTo(Duration.ofSeconds(9));
                    });
        }
    }

    @Test
    void aReleaseThatFailsDoesNotKeepTheOthers() {
        List<String> released = new CopyOnWriteArrayList<>();
        Lease sound = template.acquire("c");
        MultiLock.Outcome.Acquired all = new MultiLock.Outcome.Acquired(
                List.of(broken("a", released), broken("b", released), sound, broken("d", released)));
        assertThatThrownBy(all::release)
                .hasMessage("broken d")
                .satisfies(e -> assertThat(e.getSuppressed())
                        .extracting(Throwable::getMessage)
                        .containsExactly("broken b", "broken a"));
        assertThat(released).containsExactlyInAnyOrder("d", "b", "a");
        assertThat(sound.isValid()).isFalse();
    }

    private static Lease broken(String name, List<String> released) {
        return new HeldLease(name) {
            @Override
            public ReleaseResult release() {
                released.add(name);
                throw new IllegalStateException("broken " + name);
            }
        };
    }

    @Test
    void ifOneIsBusyNoneIsKept() {
        Lease other = executor.occupy("b");
        assertThatThrownBy(() -> of("a", "b", "c").acquire())
                .isInstanceOf(LockNotAcquiredException.class)
                .hasMessageContaining("'b'");
        assertThat(of("a", "b").tryAcquire()).isEmpty();
        assertThat(executor.isHeld("a")).isFalse();
        assertThat(executor.isHeld("c")).isFalse();
        other.release();
    }

    @Test
    void whoWaitsHoldsOnlyWhatComesBeforeByName() {
        Lease other = executor.occupy("b");
        CompletableFuture<MultiLock.Outcome> attempt =
                of(Duration.ofSeconds(20), "a", "b", "c", "d").attemptAsync(LockOwner.unique());
        assertThat(executor.names()).containsExactly("a", "b", "c", "d", "b");
        assertThat(executor.isHeld("a")).isTrue();
        assertThat(executor.isHeld("c")).isFalse();
        assertThat(executor.isHeld("d")).isFalse();
        other.release();
        release(attempt);
        assertThat(executor.events())
                .containsExactly(
                        "lock b",
                        "lock a",
                        "lock c",
                        "lock d",
                        "unlock d",
                        "unlock c",
                        "unlock b",
                        "lock b",
                        "lock c",
                        "lock d",
                        "unlock d",
                        "unlock c",
                        "unlock b",
                        "unlock a");
    }

    private static void release(CompletableFuture<MultiLock.Outcome> attempt) {
        assertThat(attempt.orTimeout(20, TimeUnit.SECONDS).join())
                .isInstanceOfSatisfying(MultiLock.Outcome.Acquired.class, MultiLock.Outcome.Acquired::release);
    }

    @Test
    void eachLockIsWaitedForAtMostOnce() {
        List<Lease> others = List.of(executor.occupy("a"), executor.occupy("b"), executor.occupy("c"));
        CompletableFuture<MultiLock.Outcome> attempt =
                of(Duration.ofSeconds(20), "a", "b", "c").attemptAsync(LockOwner.unique());
        others.forEach(Lease::release);
        release(attempt);
        assertThat(executor.names()).containsExactly("a", "b", "c", "a", "b", "c", "b", "c");
    }

    /** It would stay locked if it had to be given back. */
    @Test
    void aLockWithAMinimumHoldTimeIsAskedForWhenThoseBeforeItAreHeld() {
        Lease other = executor.occupy("a");
        MultiLock lock = MultiLock.of(
                template,
                List.of(
                        template.request("a").build(),
                        template.request("b").minHoldTime(Duration.ofSeconds(1)).build(),
                        template.request("c").build()));
        CompletableFuture<MultiLock.Outcome> attempt = lock.attemptAsync(LockOwner.unique());
        assertThat(executor.names()).containsExactly("a");
        other.release();
        release(attempt);
        assertThat(executor.names()).containsExactly("a", "b", "c");
    }

    /** Another may hold what both want only for the moment in which it finds something else busy. */
    @Test
    void whoDoesNotWaitIsRefusedByTheFirstBusyLock() {
        Lease other = executor.occupy("b");
        assertThat(of(Duration.ZERO, "a", "b", "c").attempt())
                .isInstanceOfSatisfying(
                        MultiLock.Outcome.NotAcquired.class,
                        refused -> assertThat(refused.lockName()).isEqualTo("b"));
        assertThat(executor.names()).containsExactly("a", "b", "c");
        other.release();
    }

    @Test
    void anInterruptEndsTheWaitAndLeavesNothing() throws Exception {
        Lease other = executor.occupy("b");
        CompletableFuture<MultiLock.Outcome> outcome = new CompletableFuture<>();
        Thread waiting = new Thread(() -> {
            MultiLock.Outcome ended = of(Duration.ofSeconds(20), "a", "b", "c").attempt();
            if (Thread.interrupted()) {
                outcome.complete(ended);
            }
        });
        waiting.start();
        Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> executor.waiting() == 1);
        waiting.interrupt();
        assertThat(outcome.get(20, TimeUnit.SECONDS))
                .isInstanceOfSatisfying(MultiLock.Outcome.NotAcquired.class, refused -> {
                    assertThat(refused.lockName()).isEqualTo("b");
                    assertThat(refused.outcome()).isInstanceOf(LockOutcome.Interrupted.class);
                });
        assertThat(executor.isHeld("a")).isFalse();
        other.release();
    }

    @Test
    void workIsTriedWithAllLocksOrNotAtAll() throws Exception {
        assertThat(of("a", "b").tryExecute(() -> "done").result()).isEqualTo("done");
        Lease other = executor.occupy("b");
        assertThat(of("a", "b").tryExecute(() -> "done").ran()).isFalse();
        other.release();
    }

    @Test
    void aFailedBackendIsNotBusy() {
        executor.answerNext(new LockOutcome.BackendFailed(Duration.ZERO, new IllegalStateException("down")));
        assertThatThrownBy(() -> of("a", "b").tryAcquire()).isInstanceOf(LockBackendException.class);
    }

    @Test
    void theWaitingTimeRunsFromTheFirst() throws InterruptedException {
        Lease first = executor.occupy("a");
        CompletableFuture<Void> released = CompletableFuture.runAsync(() -> {
            Awaitility.await().until(() -> executor.waiting() == 1);
            CompletableFuture.runAsync(first::release, CompletableFuture.delayedExecutor(100, TimeUnit.MILLISECONDS))
                    .join();
        });
        Duration wait = Duration.ofSeconds(20);
        of(wait, "a", "b").acquire().release();
        released.join();
        assertThat(executor.names()).containsExactly("a", "b", "a", "b");
        List<LockRequest> asked = executor.requests();
        assertThat(asked.get(0).retryTime()).isLessThanOrEqualTo(wait);
        assertThat(asked.get(3).tryLockTime()).isLessThan(wait.minusMillis(50));
    }

    @Test
    void cancellingReleasesWhatIsHeldAndStopsWaiting() {
        Lease other = executor.occupy("b");
        CompletableFuture<MultiLock.Outcome> attempt =
                of(Duration.ofSeconds(20), "a", "b").attemptAsync(LockOwner.unique());
        assertThat(executor.isHeld("a")).isTrue();
        assertThat(attempt.cancel(true)).isTrue();
        assertThat(executor.isHeld("a")).isFalse();
        assertThat(executor.waiting()).isZero();
        other.release();
    }

    @Test
    void anAttemptThatComesToNothingKeepsNeitherLocksNorTheOutcome() {
        Lease other = executor.occupy("b");
        CompletableFuture<MultiLock.Outcome> attempt =
                of(Duration.ofMillis(20), "a", "b").attemptAsync(LockOwner.unique());
        assertThat(attempt.orTimeout(20, TimeUnit.SECONDS).join()).isInstanceOf(MultiLock.Outcome.NotAcquired.class);
        Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> !executor.isHeld("a"));
        other.release();
    }

    @Test
    void withoutARequestThereIsNothingToLock() {
        assertThatThrownBy(() -> MultiLock.of(template, List.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("nothing to lock");
    }
}
