package io.distributionlock.leader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.distributionlock.DelegatingLockExecutor;
import io.distributionlock.DelegatingLockExecutor.DelegatingLease;
import io.distributionlock.Lease;
import io.distributionlock.LockDefaults;
import io.distributionlock.LockExecutor;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import io.distributionlock.LockTemplate;
import io.distributionlock.leader.Instances.Place;
import io.distributionlock.monitor.LockMonitor;
import io.distributionlock.monitor.LockSnapshot;
import io.distributionlock.testing.ScriptedLockExecutor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Elections by hand, wherever locks are kept. */
@Timeout(240)
class LeaderElectionTest {

    private static final Duration LONG = Duration.ofSeconds(60);
    private static final String NAME = "outbox";
    private static final String LOCK = "leader:outbox";

    private final List<LeaderElection> elections = new ArrayList<>();

    @AfterEach
    void end() {
        elections.forEach(LeaderElection::close);
    }

    private LeaderElection election(LockTemplate locks, Duration leaseTime, LeaderListener listener) {
        LeaderElection election = new LeaderElection(locks, NAME, leaseTime);
        election.addListener(listener);
        elections.add(election);
        return election;
    }

    private LeaderElection started(LockTemplate locks, LeaderListener listener) {
        LeaderElection election = election(locks, LONG, listener);
        election.start();
        return election;
    }

    private static void awaitLeader(LeaderElection election) {
        await().atMost(LONG).pollInterval(Duration.ofMillis(2)).until(election::isLeader);
    }

    private static void hangUntil(CountDownLatch end) {
        try {
            end.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void itSaysWhatItIsAndSoDoesItsLock() {
        try (Instances instances = new Instances(Place.LOCAL)) {
            LockTemplate locks = instances.another();
            LeaderElection election = started(locks, new LeaderListener() {});
            awaitLeader(election);
            assertThat(election).hasToString("LeaderElection 'outbox', leads");
            assertThat(((LockMonitor) locks.executor().backend()).snapshot().held())
                    .extracting(LockSnapshot.HeldLease::owner)
                    .containsExactly("election 'outbox'");
            election.stop();
            assertThat(election).hasToString("LeaderElection 'outbox', does not lead");
        }
    }

    @ParameterizedTest
    @EnumSource
    void oneLeadsAndTheNextFollowsWhenItStops(Place place) {
        try (Instances instances = new Instances(place)) {
            RecordingListener first = new RecordingListener();
            RecordingListener second = new RecordingListener();
            LeaderElection one = started(instances.another(), first);
            awaitLeader(one);
            LeaderElection other = started(instances.another(), second);
            LeaderTerm term = first.await(1).term();
            assertThat(term.isValid()).isTrue();
            assertThat(one.term()).containsSame(term);
            assertThat(other.isLeader()).isFalse();
            assertThat(other.term()).isEmpty();

            long start = System.nanoTime();
            one.stop();
            awaitLeader(other);
            // A second on an idle machine; far from the lease of a minute in any case.
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(20));

            assertThat(one.isLeader()).isFalse();
            assertThat(first.told).extracting(RecordingListener.Told::granted).containsExactly(true, false);
            assertThat(first.told.get(1).term()).isSameAs(term);
            assertThat(first.told.get(1).valid())
                    .as("whether it was told before it handed over")
                    .isTrue();
            assertThat(term.remaining()).isZero();
            RecordingListener.Told elected = second.await(1);
            assertThat(elected.term().fencingToken()).isGreaterThan(term.fencingToken());
            assertThat(elected.remaining())
                    .as(
                            "a leader steps down when a third is left, so a lease that begins short ends the term on a busy machine")
                    .isGreaterThan(LONG.dividedBy(3));
        }
    }

    @ParameterizedTest
    @EnumSource
    void aLeaderThatLosesItsLockStopsAtOnceAndStandsAgain(Place place) {
        try (Instances instances = new Instances(place)) {
            RecordingListener first = new RecordingListener();
            LockTemplate here = instances.another();
            LeaderElection one = started(here, first);
            awaitLeader(one);
            LeaderElection other = started(instances.another(), new RecordingListener());

            instances.another().forceRelease(LOCK).join();
            RecordingListener.Told revoked = first.await(2);
            assertThat(revoked.granted()).isFalse();
            assertThat(revoked.valid()).isFalse();
            // The instances of a quorum do not queue: the same one may be elected again.
            if (place != Place.QUORUM) {
                awaitLeader(other);
                assertThat(one.isLeader()).isFalse();
            }

            other.stop();
            awaitLeader(one);
            assertThat(first.await(3).granted()).isTrue();
            assertThat(first.told.get(2).term().fencingToken())
                    .isGreaterThan(first.told.get(0).term().fencingToken());
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"REDIS", "QUORUM"})
    void aLeaderWhoseLockVanishesSoonNoticesAndIsElectedAgain(Place place) {
        try (Instances instances = new Instances(place)) {
            RecordingListener told = new RecordingListener();
            LeaderElection election = started(instances.another(), told);
            awaitLeader(election);
            long start = System.nanoTime();
            instances.forgetAll();
            RecordingListener.Told revoked = told.await(2);
            // Within a second or two on an idle machine. A renewal may happen to be as soon: ElectionIT shows that it
            // need not be.
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(15));
            assertThat(revoked.granted()).isFalse();
            assertThat(revoked.valid()).isFalse();
            awaitLeader(election);
            assertThat(told.await(3).term().fencingToken())
                    .isGreaterThan(revoked.term().fencingToken());
        }
    }

    @Test
    void anAnswerThatDoesNotComeIsNoLoss() {
        AtomicInteger asked = new AtomicInteger();
        LockExecutor deaf = new DelegatingLockExecutor(new ScriptedLockExecutor()) {
            @Override
            public CompletableFuture<LockOutcome> acquire(LockRequest request, LockOwner owner) {
                return super.acquire(request, owner)
                        .thenApply(outcome ->
                                new LockOutcome.Acquired(new DelegatingLease(((LockOutcome.Acquired) outcome).lease()) {
                                    @Override
                                    public CompletableFuture<Boolean> confirmAsync() {
                                        if (asked.incrementAndGet() == 2) {
                                            throw new IllegalStateException("an executor of the application");
                                        }
                                        return CompletableFuture.completedFuture(false);
                                    }
                                }));
            }
        };
        LeaderElection election = started(new LockTemplate(deaf, LockDefaults.STANDARD), new RecordingListener());
        await().atMost(LONG).until(() -> asked.get() > 3);
        assertThat(election.isLeader()).isTrue();
    }

    /** The grant may be on its way when it stops. */
    @Test
    void aLockThatIsGrantedAfterTheStopIsReleased() {
        ScriptedLockExecutor locks = new ScriptedLockExecutor();
        AtomicInteger asked = new AtomicInteger();
        CompletableFuture<LockOutcome> late = new CompletableFuture<>() {
            @Override
            public boolean cancel(boolean mayInterruptIfRunning) {
                return false;
            }
        };
        LockExecutor slow = new DelegatingLockExecutor(locks) {
            @Override
            public CompletableFuture<LockOutcome> acquire(LockRequest request, LockOwner owner) {
                asked.incrementAndGet();
                return late;
            }
        };
        RecordingListener listener = new RecordingListener();
        LeaderElection election = started(new LockTemplate(slow, LockDefaults.STANDARD), listener);
        await().atMost(LONG).until(() -> asked.get() == 1);
        election.stop();

        late.complete(locks.acquire(LockRequest.named(LOCK).build(), LockOwner.unique())
                .join());

        await().atMost(LONG).until(locks::nothingHeldOrWaiting);
        assertThat(listener.told).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(names = {"LOCAL", "REDIS"})
    void everyInstanceCanTellWhoLeads(Place place) {
        try (Instances instances = new Instances(place)) {
            LeaderElection one = started(instances.another(), new RecordingListener());
            awaitLeader(one);
            LeaderElection other = started(instances.another(), new RecordingListener());
            assertThat(one.leader().join()).isPresent().isEqualTo(other.leader().join());
            one.stop();
            other.stop();
            // It may have been granted the lock while it stopped; what it did not take is released behind its back.
            await().atMost(LONG)
                    .untilAsserted(() -> assertThat(one.leader().join()).isEmpty());
        }
    }

    @Test
    void aQuorumCannotTellWhoLeads() {
        try (Instances instances = new Instances(Place.QUORUM)) {
            LeaderElection election = election(instances.another(), LONG, new RecordingListener());
            assertThat(election.leader()).failsWithin(LONG).withThrowableThat().havingCause();
        }
    }

    @Test
    void aLeaderThatCannotRenewStopsBeforeItsLeaseEnds() {
        try (Instances instances = new Instances(Place.REDIS)) {
            RecordingListener told = new RecordingListener();
            // A third of it is left: more than a busy machine is late.
            LeaderElection election = election(instances.another(), Duration.ofSeconds(15), told);
            election.start();
            awaitLeader(election);
            instances.server().pause();
            RecordingListener.Told revoked = told.await(2);
            assertThat(revoked.granted()).isFalse();
            assertThat(revoked.valid())
                    .as("whether some time was left to wind up")
                    .isTrue();
            assertThat(election.isLeader()).isFalse();
            instances.server().resume();
            awaitLeader(election);
            assertThat(told.await(3).granted()).isTrue();
        }
    }

    @Test
    void anElectionWaitsForABackendThatFails() {
        ScriptedLockExecutor executor = new ScriptedLockExecutor();
        executor.answerNext(new LockOutcome.BackendFailed(Duration.ZERO, new IllegalStateException("away")));
        LeaderElection election = started(new LockTemplate(executor, LockDefaults.STANDARD), new RecordingListener());
        awaitLeader(election);
        assertThat(executor.names()).containsExactly(LOCK, LOCK);
    }

    @Test
    void aListenerThatFailsKeepsNothingFromTheOthers() {
        try (Instances instances = new Instances(Place.LOCAL)) {
            RecordingListener told = new RecordingListener();
            LeaderElection election = election(instances.another(), LONG, new LeaderListener() {
                @Override
                public void onGranted(LeaderTerm term) {
                    throw new IllegalStateException("a listener that fails");
                }

                @Override
                public void onRevoked(LeaderTerm term) {
                    throw new AssertionError("a listener that fails");
                }
            });
            election.addListener(told);
            election.start();
            election.stop();
            assertThat(told.told).extracting(RecordingListener.Told::granted).containsExactly(true, false);
        }
    }

    @Test
    void aListenerThatNeverReturnsDoesNotKeepTheLock() throws InterruptedException {
        try (Instances instances = new Instances(Place.LOCAL)) {
            CountDownLatch asked = new CountDownLatch(1);
            CountDownLatch never = new CountDownLatch(1);
            LeaderElection stuck = election(instances.another(), Duration.ofMillis(500), new LeaderListener() {
                @Override
                public void onRevoked(LeaderTerm term) {
                    asked.countDown();
                    hangUntil(never);
                }
            });
            stuck.start();
            LeaderElection other = started(instances.another(), new RecordingListener());
            stuck.stop();
            asked.await();
            awaitLeader(other);
            never.countDown();
        }
    }

    /** Nor does it when no stop ends the term, but a backend that did not answer in time. */
    @Test
    void aListenerThatNeverReturnsKeepsTheLockForOneLeaseTimeOnly() {
        try (Instances instances = new Instances(Place.REDIS)) {
            CountDownLatch asked = new CountDownLatch(1);
            CountDownLatch never = new CountDownLatch(1);
            LeaderElection stuck = election(instances.another(), Duration.ofSeconds(6), new LeaderListener() {
                @Override
                public void onRevoked(LeaderTerm term) {
                    asked.countDown();
                    hangUntil(never);
                }
            });
            stuck.start();
            awaitLeader(stuck);
            LeaderElection other = started(instances.another(), new RecordingListener());
            instances.server().pause();
            await().atMost(LONG).until(() -> asked.getCount() == 0);
            instances.server().resume();
            awaitLeader(other);
            never.countDown();
        }
    }

    @Test
    void theLockIsHandedOverOnlyWhenTheListenerHasReturned() throws InterruptedException {
        try (Instances instances = new Instances(Place.LOCAL)) {
            CountDownLatch windingUp = new CountDownLatch(1);
            CountDownLatch wound = new CountDownLatch(1);
            LeaderElection one = started(instances.another(), new LeaderListener() {
                @Override
                public void onRevoked(LeaderTerm term) {
                    windingUp.countDown();
                    hangUntil(wound);
                }
            });
            LeaderTerm term = one.term().orElseThrow();
            LeaderElection other = started(instances.another(), new RecordingListener());
            CountDownLatch stopped = new CountDownLatch(1);
            one.stop(stopped::countDown);
            windingUp.await();
            assertThat(one.isLeader()).isFalse();
            assertThat(term.isValid()).isTrue();
            assertThat(other.isLeader()).isFalse();
            wound.countDown();
            stopped.await();
            awaitLeader(other);
        }
    }

    @Test
    void anElectionInMemoryIsDecidedWhenItStarts() {
        try (Instances instances = new Instances(Place.LOCAL)) {
            LeaderElection one = election(instances.another(), LONG, new RecordingListener());
            assertThat(one.isRunning()).isFalse();
            assertThat(one.isLeader()).isFalse();
            for (int time = 0; time < 3; time++) {
                one.start();
                one.start();
                assertThat(one.isRunning()).isTrue();
                assertThat(one.isLeader()).isTrue();
                one.stop();
                one.stop();
                assertThat(one.isRunning()).isFalse();
                assertThat(one.isLeader()).isFalse();
            }
        }
    }

    @Test
    void whoStopsWaitingNeverLeads() {
        try (Instances instances = new Instances(Place.LOCAL)) {
            LockTemplate locks = instances.another();
            RecordingListener told = new RecordingListener();
            try (Lease held = locks.acquire(LOCK)) {
                LeaderElection waiting = started(instances.another(), told);
                assertThat(waiting.isLeader()).isFalse();
                waiting.stop();
                assertThat(held.isValid()).isTrue();
            }
            assertThat(locks.lock(LOCK).isLocked()).isFalse();
            assertThat(told.told).isEmpty();
        }
    }

    /** Instances that stop and start at random: no two terms are valid at once, and later ones have greater tokens. */
    @ParameterizedTest
    @EnumSource(names = {"LOCAL", "REDIS"})
    void neverTwoLeaders(Place place) throws InterruptedException {
        AtomicInteger leading = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        List<Long> tokens = Collections.synchronizedList(new ArrayList<>());
        LeaderListener counting = new LeaderListener() {
            @Override
            public void onGranted(LeaderTerm term) {
                most.accumulateAndGet(leading.incrementAndGet(), Math::max);
                tokens.add(term.fencingToken());
            }

            @Override
            public void onRevoked(LeaderTerm term) {
                leading.decrementAndGet();
            }
        };
        try (Instances instances = new Instances(place)) {
            List<Thread> threads = new ArrayList<>();
            for (int instance = 0; instance < 4; instance++) {
                LeaderElection election = election(instances.another(), LONG, counting);
                Thread thread = new Thread(() -> {
                    for (int turn = 0; turn < 25; turn++) {
                        election.start();
                        awaitLeader(election);
                        election.stop();
                    }
                });
                threads.add(thread);
                thread.start();
            }
            for (Thread thread : threads) {
                thread.join();
            }
        }
        assertThat(most).hasValue(1);
        assertThat(leading).hasValue(0);
        assertThat(tokens).hasSize(100).isSorted().doesNotHaveDuplicates();
    }

    /** Each of ten leads exactly once in ten rounds, and hands over to one of the others. */
    @ParameterizedTest
    @EnumSource(names = {"LOCAL", "REDIS"})
    void tenCandidatesLeadInTenRounds(Place place) {
        try (Instances instances = new Instances(place)) {
            List<RecordingListener> told = new ArrayList<>();
            List<LeaderElection> candidates = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                told.add(new RecordingListener());
                candidates.add(started(instances.another(), told.get(i)));
            }
            List<LeaderElection> left = new ArrayList<>(candidates);
            for (int round = 0; round < 10; round++) {
                await().atMost(LONG).until(() -> left.stream().anyMatch(LeaderElection::isLeader));
                assertThat(left).filteredOn(LeaderElection::isLeader).hasSize(1);
                LeaderElection leader = left.stream()
                        .filter(LeaderElection::isLeader)
                        .findFirst()
                        .orElseThrow();
                leader.stop();
                left.remove(leader);
            }
            assertThat(told)
                    .allSatisfy(each -> assertThat(each.told)
                            .extracting(RecordingListener.Told::granted)
                            .containsExactly(true, false));
            assertThat(told.stream().map(each -> each.told.get(0).term().fencingToken()))
                    .doesNotHaveDuplicates();
        }
    }

    /** An instance that is told that it leads may decide not to, and stand again: at once, not after the time that a listener has. */
    @ParameterizedTest
    @EnumSource(names = {"LOCAL", "REDIS"})
    void itIsStoppedAndStartedByItsListener(Place place) {
        try (Instances instances = new Instances(place)) {
            AtomicInteger granted = new AtomicInteger();
            AtomicInteger revoked = new AtomicInteger();
            AtomicReference<LeaderElection> own = new AtomicReference<>();
            LeaderElection election = election(instances.another(), Duration.ofMinutes(3), new LeaderListener() {
                @Override
                public void onGranted(LeaderTerm term) {
                    if (granted.incrementAndGet() <= 3) {
                        own.get().stop();
                        own.get().start();
                    }
                }

                @Override
                public void onRevoked(LeaderTerm term) {
                    revoked.incrementAndGet();
                }
            });
            own.set(election);
            election.start();
            await().atMost(LONG).until(() -> granted.get() == 4);
            awaitLeader(election);
            assertThat(revoked).hasValue(3);
            election.stop();
            assertThat(granted).hasValue(4);
            assertThat(revoked).hasValue(4);
        }
    }

    /** It has one lease time, as if another had stopped the election. */
    @Test
    void aListenerThatStopsItsElectionAndNeverReturnsKeepsTheLockForOneLeaseTimeOnly() {
        try (Instances instances = new Instances(Place.LOCAL)) {
            CountDownLatch never = new CountDownLatch(1);
            AtomicReference<LeaderElection> own = new AtomicReference<>();
            own.set(election(instances.another(), Duration.ofSeconds(5), new LeaderListener() {
                @Override
                public void onGranted(LeaderTerm term) {
                    own.get().stop();
                    hangUntil(never);
                }
            }));
            own.get().start();
            await().atMost(LONG).until(() -> !own.get().isRunning());
            awaitLeader(started(instances.another(), new RecordingListener()));
            never.countDown();
        }
    }

    @Test
    void aMistakeIsExplained() {
        LockTemplate locks = new LockTemplate(new ScriptedLockExecutor(), LockDefaults.STANDARD);
        assertThatThrownBy(() -> new LeaderElection(locks, " ")).hasMessageContaining("The name of a LeaderElection");
        assertThatThrownBy(() -> new LeaderElection(locks, NAME, Duration.ZERO)).hasMessageContaining(LOCK);
        assertThatThrownBy(() -> new LeaderElection(locks, NAME).addListener(null))
                .hasMessageContaining("election 'outbox'");
    }
}
