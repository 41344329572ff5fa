package io.distributionlock.test.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.distributionlock.DistributedLock;
import io.distributionlock.Lease;
import io.distributionlock.LockDefaults;
import io.distributionlock.LockExecutor;
import io.distributionlock.LockFailureReason;
import io.distributionlock.LockKind;
import io.distributionlock.LockNotAcquiredException;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockRequest;
import io.distributionlock.LockTemplate;
import io.distributionlock.ReleaseResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;

/** At most so many holders of a name at once, in the order of arrival. A single permit is tried as an exclusive lock elsewhere. */
@SuppressWarnings("LockNotBeforeTry") // The tests are about what happens between lock and unlock.
abstract class PermitContract extends ContractSuite {

    private static final int PERMITS = 3;
    private static final int SECTIONS = 60;
    private static final Duration LEASE = Duration.ofMillis(600);

    @Override
    Set<LockKind> neededKinds() {
        return Set.of(LockKind.PERMIT);
    }

    private LockRequest.Builder asking(int permits, Duration wait) {
        return LockRequest.named(name).permits(permits).tryLockTime(wait);
    }

    private LockRequest permit(Duration wait) {
        return asking(PERMITS, wait).build();
    }

    /** Another thread holds it. */
    private Lease acquire(LockTemplate process, LockRequest request) throws Exception {
        return crew.call(() -> process.acquire(request));
    }

    private List<Lease> allPermits() throws Exception {
        List<Lease> held = new ArrayList<>();
        for (int i = 0; i < PERMITS; i++) {
            held.add(acquire(i % 2 == 0 ? here : there, permit(Duration.ZERO)));
        }
        return held;
    }

    private void assertNoneLeft(LockTemplate process, int permits) throws Exception {
        assertBusy(process, asking(permits, Duration.ZERO).build());
    }

    @OnEveryThreadKind
    void asManyAsThereAreAreHeldAtOnce() throws Exception {
        List<Lease> held = allPermits();
        assertThat(held).allMatch(Lease::isValid).allMatch(lease -> lease.kind() == LockKind.PERMIT);
        assertThat(held.stream().map(Lease::fencingToken)).isSorted().doesNotHaveDuplicates();
        assertNoneLeft(here, PERMITS);
        assertNoneLeft(there, PERMITS);
        assertThat(held.get(1).release()).isEqualTo(ReleaseResult.RELEASED);
        Lease next = acquire(here, permit(Duration.ZERO));
        assertThat(next.fencingToken()).isGreaterThan(held.get(2).fencingToken());
        assertNoneLeft(there, PERMITS);
        next.close();
        held.get(0).close();
        held.get(2).close();
    }

    @OnEveryThreadKind
    void neverMoreThanThereAreAreInside() throws Exception {
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        for (int i = 0; i < 4; i++) {
            for (LockTemplate process : List.of(here, there)) {
                crew.start(() -> enterOften(process, inside, most));
            }
        }
        crew.join();
        assertThat(most).as("at once").hasValueLessThanOrEqualTo(PERMITS);
    }

    private Void enterOften(LockTemplate process, AtomicInteger inside, AtomicInteger most) {
        for (int i = 0; i < SECTIONS; i++) {
            try (Lease lease = process.acquire(permit(MAX_TEST_TIME))) {
                most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                Thread.yield();
                assertThat(lease.isValid()).isTrue();
                inside.decrementAndGet();
            }
        }
        return null;
    }

    /** Callers that try, wait for a moment or for long, give up, enter again, or hold for a fixed time. */
    @OnEveryThreadKind
    void neverMoreThanThereAreAreInsideWhateverCallersDo() throws Exception {
        long seed = new Random().nextLong();
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        AtomicInteger entered = new AtomicInteger();
        for (int i = 0; i < 8; i++) {
            LockTemplate process = i % 2 == 0 ? here : there;
            Random random = new Random(seed + i);
            crew.start(() -> {
                for (int section = 0; section < 30; section++) {
                    Lease lease = anyhow(process, random);
                    if (lease != null) {
                        entered.incrementAndGet();
                        most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                        Thread.yield();
                        inside.decrementAndGet();
                        lease.close();
                    }
                }
                return null;
            });
        }
        crew.join();
        assertThat(most).as("at once, seed " + seed).hasValueLessThanOrEqualTo(PERMITS);
        assertThat(entered).as("sections, seed " + seed).hasPositiveValue();
    }

    private @Nullable Lease anyhow(LockTemplate process, Random random) throws Exception {
        LockRequest.Builder request = asking(PERMITS, random.nextBoolean() ? MAX_TEST_TIME : Duration.ofMillis(5));
        switch (random.nextInt(4)) {
            case 0:
                return process.tryAcquire(permit(Duration.ZERO)).orElse(null);
            case 1:
                CompletableFuture<LockOutcome> attempt = process.acquireAsync(request.build());
                if (random.nextBoolean() && attempt.cancel(true)) {
                    return null;
                }
                return outcomeOf(attempt) instanceof LockOutcome.Acquired acquired ? acquired.lease() : null;
            case 2:
                Lease outer = process.tryAcquire(request.build()).orElse(null);
                if (outer != null) {
                    process.acquire(permit(Duration.ZERO)).close();
                }
                return outer;
            default:
                return process.tryAcquire(request.holdLockTime(MAX_TEST_TIME).build())
                        .orElse(null);
        }
    }

    @OnEveryThreadKind
    void aProcessThatStopsHandsItsPermitsOver() throws Exception {
        LockExecutor stopping = newExecutor();
        LockTemplate process = new LockTemplate(stopping, LockDefaults.STANDARD);
        for (int i = 0; i < PERMITS; i++) {
            acquire(process, permit(Duration.ZERO));
        }
        List<CompletableFuture<LockOutcome>> waiting = new ArrayList<>();
        for (int i = 0; i < PERMITS; i++) {
            waiting.add(queueUp(i % 2 == 0 ? here : there, permit(MAX_TEST_TIME)));
        }
        stopping.stop(Duration.ZERO);
        for (CompletableFuture<LockOutcome> next : waiting) {
            leaseOf(next.get(SOON.toSeconds(), TimeUnit.SECONDS)).close();
        }
    }

    @OnEveryThreadKind
    void waitersAreServedInOrderOfArrival() throws Exception {
        List<Lease> held = allPermits();
        List<CompletableFuture<LockOutcome>> waiting = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            waiting.add(queueUp(i % 3 == 0 ? there : here, permit(MAX_TEST_TIME)));
        }
        List<Long> tokens = new ArrayList<>();
        Lease releasing = held.get(1);
        for (int i = 0; i < waiting.size(); i++) {
            releasing.close();
            releasing = leaseOf(outcomeOf(waiting.get(i)));
            tokens.add(releasing.fencingToken());
            assertThat(waiting.subList(i + 1, waiting.size())).noneMatch(CompletableFuture::isDone);
        }
        assertThat(tokens).isSorted().doesNotHaveDuplicates();
        releasing.close();
        held.get(0).close();
        held.get(2).close();
    }

    @OnEveryThreadKind
    void newcomerDoesNotOvertakeAWaiter() throws Exception {
        List<Lease> held = allPermits();
        CompletableFuture<LockOutcome> waiting = queueUp(there, permit(MAX_TEST_TIME));
        CompletableFuture<LockOutcome> behind = queueUp(here, permit(MAX_TEST_TIME));
        held.get(0).close();
        Lease first = leaseOf(outcomeOf(waiting));
        assertNoneLeft(here, PERMITS);
        assertThat(behind).isNotDone();
        assertThat(behind.cancel(true)).isTrue();
        first.close();
        held.get(1).close();
        held.get(2).close();
    }

    @OnEveryThreadKind
    void aLeaseThatEndsMakesRoom() throws Exception {
        Lease other = acquire(there, asking(2, Duration.ZERO).build());
        Lease ending =
                acquire(here, asking(2, Duration.ZERO).holdLockTime(LEASE).build());
        Timed<LockOutcome> next = timed(
                () -> crew.call(() -> there.attempt(asking(2, MAX_TEST_TIME).build())));
        assertThat(next.took()).isLessThan(SOON);
        assertThat(ending.isValid()).isFalse();
        assertThat(other.confirm()).isTrue();
        leaseOf(next.result()).close();
        other.close();
    }

    @OnEveryThreadKind
    void aPermitIsRenewedUntilItIsReleased() throws Exception {
        LockRequest renewed = asking(2, Duration.ZERO).renewedLease(LEASE).build();
        List<Lease> held = List.of(acquire(here, renewed), acquire(there, renewed));
        LockOutcome waited =
                crew.call(() -> there.attempt(asking(2, LEASE.multipliedBy(4)).build()));
        assertThat(waited).isInstanceOf(LockOutcome.Busy.class);
        assertThat(held).allMatch(Lease::confirm);
        held.forEach(Lease::close);
    }

    @OnEveryThreadKind
    void ownerEntersAgainByTheSamePermit() throws Exception {
        LockRequest single = asking(1, Duration.ZERO).build();
        Lease outer = here.acquire(single);
        Lease inner = here.acquire(single);
        assertThat(holdsHere()).isEqualTo(2);
        assertNoneLeft(there, 1);
        assertThat(inner.release()).isEqualTo(ReleaseResult.STILL_HELD);
        assertNoneLeft(there, 1);
        outer.close();
        acquire(there, single).close();
    }

    @OnEveryThreadKind
    void forcedReleaseTakesThemAll() throws Exception {
        List<Lease> held = allPermits();
        assertThat(forceRelease()).isTrue();
        held.forEach(ContractSuite::awaitLost);
        allPermits().forEach(Lease::close);
        assertThat(held).allMatch(lease -> lease.release() == ReleaseResult.LOST);
    }

    @OnEveryThreadKind
    void minimumHoldTimeKeepsThePermit() throws Exception {
        Duration least = Duration.ofSeconds(2);
        Lease brief = acquire(here, asking(1, Duration.ZERO).minHoldTime(least).build());
        assertThat(brief.release()).isEqualTo(ReleaseResult.RELEASED);
        assertNoneLeft(there, 1);
        acquire(there, asking(1, MAX_TEST_TIME).build()).close();
    }

    @OnEveryThreadKind
    void fewerPermitsTakeNoneAwayAndCountFromTheNextAdmission() throws Exception {
        List<Lease> held = allPermits();
        assertNoneLeft(there, 1);
        CompletableFuture<LockOutcome> fewer =
                queueUp(there, asking(1, MAX_TEST_TIME).build());
        held.get(0).close();
        held.get(1).close();
        assertThat(held.get(2).confirm()).isTrue();
        assertThat(fewer).isNotDone();
        held.get(2).close();
        Lease only = leaseOf(outcomeOf(fewer));
        Lease more = acquire(here, asking(2, Duration.ZERO).build());
        assertThat(only.confirm()).isTrue();
        only.close();
        more.close();
    }

    @OnEveryThreadKind
    void aNameIsALockOrHasPermits() throws Exception {
        Lease permit = acquire(there, permit(Duration.ZERO));
        for (LockKind kind : supported(lockKinds())) {
            assertIncompatible(
                    () -> here.acquire(LockRequest.named(name).kind(kind).build()), name, kind.name(), "3 permits");
        }
        permit.close();
        for (LockKind kind : supported(lockKinds())) {
            Lease lock = acquire(there, LockRequest.named(name).kind(kind).build());
            for (Duration wait : List.of(Duration.ZERO, MAX_TEST_TIME)) {
                assertIncompatible(() -> here.acquire(permit(wait)), name, "permits = 3", "lock");
            }
            lock.close();
        }
    }

    /** A view does not take it for a busy lock. */
    private static void assertIncompatible(ThrowingCallable call, String... words) {
        assertThatExceptionOfType(LockNotAcquiredException.class)
                .isThrownBy(call)
                .withMessageContainingAll(words)
                .satisfies(refused -> assertThat(refused.reason()).isEqualTo(LockFailureReason.INCOMPATIBLE));
    }

    @OnEveryThreadKind
    void viewOfTheOneCannotHaveTheOther() throws Exception {
        Lease permit = acquire(there, permit(Duration.ZERO));
        assertIncompatible(() -> here.lock(name).tryLock(), name);
        permit.close();
        assertThat(here.lock(name).tryLock()).isTrue();
        here.lock(name).unlock();
    }

    @OnEveryThreadKind
    void ownerOfTheOneCannotHaveTheOther() {
        Lease permit = here.acquire(permit(Duration.ZERO));
        assertIncompatible(() -> here.acquire(once()), name);
        assertThat(permit.confirm()).isTrue();
        permit.close();
        Lease lock = here.acquire(once());
        assertIncompatible(() -> here.acquire(permit(MAX_TEST_TIME)), name);
        assertThat(lock.confirm()).isTrue();
        lock.close();
    }

    @OnEveryThreadKind
    void viewLocksAndUnlocksAPermit() throws Exception {
        DistributedLock permits = here.permits(name, 2);
        permits.lock();
        permits.lock();
        assertThat(permits.holdCount()).isEqualTo(2);
        Lease other = acquire(there, asking(2, Duration.ZERO).build());
        assertThat((boolean) crew.call(() -> there.permits(name, 2).tryLock())).isFalse();
        permits.unlock();
        permits.unlock();
        assertThat(permits.isHeldByCurrentThread()).isFalse();
        assertThat(permits.isLocked()).isTrue();
        other.close();
        assertThat(permits.isLocked()).isFalse();
    }
}
