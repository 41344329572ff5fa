package io.distributionlock.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributionlock.Lease;
import io.distributionlock.LockDefaults;
import io.distributionlock.LockKind;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockRequest;
import io.distributionlock.LockTemplate;
import io.distributionlock.backend.EngineSettings;
import io.distributionlock.local.LocalBackend;
import io.distributionlock.local.LocalLockExecutor;
import io.distributionlock.monitor.LockSnapshot;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What can be seen of an engine from outside. */
class LockMonitorTest {

    private static final Duration LONG = Duration.ofSeconds(20);

    private final LocalBackend backend = new LocalBackend();
    private final LocalLockExecutor here = new LocalLockExecutor(backend);
    private final LocalLockExecutor there = new LocalLockExecutor(backend);
    private final LockTemplate template = new LockTemplate(here, LockDefaults.STANDARD);
    private final LockTemplate otherProcess = new LockTemplate(there, LockDefaults.STANDARD);

    @AfterEach
    void end() {
        here.close();
        there.close();
    }

    private static LockRequest request(String name) {
        return LockRequest.named(name).tryLockTime(LONG).label("order").build();
    }

    @Test
    void aSnapshotShowsEveryLeaseAndWhoHasIt() {
        Lease outer = template.acquire(request("order:1"));
        Lease inner = template.acquire(
                LockRequest.named("order:1").holdLockTime(Duration.ofMinutes(1)).build());
        Lease reading =
                template.acquire(LockRequest.named("stock").kind(LockKind.READ).build());

        assertThat(here.snapshot().held())
                .filteredOn(lease -> lease.label().equals("order"))
                .extracting("fencingToken")
                .containsExactly(0L);
        long token = outer.fencingToken();
        LockSnapshot snapshot = here.snapshot();
        assertThat(snapshot.held()).extracting("lockName").containsExactlyInAnyOrder("order:1", "order:1", "stock");
        assertThat(snapshot.held())
                .filteredOn(lease -> lease.label().equals("order"))
                .singleElement()
                .satisfies(lease -> {
                    assertThat(lease.owner()).isEqualTo(Thread.currentThread().getName());
                    assertThat(lease.fencingToken()).isEqualTo(token);
                    assertThat(lease.renewed()).isTrue();
                    assertThat(lease.kind()).isEqualTo(LockKind.REENTRANT);
                    assertThat(lease.claim()).startsWith(snapshot.instance() + ":");
                    assertThat(lease.heldFor()).isBetween(Duration.ZERO, LONG);
                    assertThat(lease.leaseLeft()).isBetween(Duration.ofSeconds(20), Duration.ofSeconds(60));
                });
        assertThat(snapshot.waiting()).isEmpty();
        List.of(reading, inner, outer).forEach(Lease::release);
        assertThat(here.snapshot().held()).isEmpty();
    }

    @Test
    void aSnapshotShowsWhoWaitsInTheirOrderWhateverTheyWaitFor() {
        Lease held = otherProcess.acquire(request("order:1"));
        CompletableFuture<LockOutcome> plain = template.acquireAsync(request("order:1"));
        CompletableFuture<LockOutcome> fair = template.acquireAsync(
                request("order:1").toBuilder().kind(LockKind.FAIR).build());
        await().atMost(LONG).until(() -> there.inspect("order:1").join().waiting() == 2);

        assertThat(here.snapshot().waiting())
                .extracting(LockSnapshot.WaitingAttempt::kind)
                .containsExactly(LockKind.REENTRANT, LockKind.FAIR);
        assertThat(here.snapshot().held()).isEmpty();
        plain.cancel(true);
        fair.cancel(true);
        assertThat(here.snapshot().waiting()).isEmpty();
        held.release();
    }

    @Test
    void handoversAreCountedByWhereTheLockCameFrom() {
        Lease held = template.acquire(request("order:1"));
        CompletableFuture<LockOutcome> local = template.acquireAsync(request("order:1"));
        await().atMost(LONG).until(() -> here.snapshot().waiting().size() == 1);
        held.release();
        Lease second = ((LockOutcome.Acquired) local.join()).lease();
        assertThat(here.counters().localHandovers()).isEqualTo(1);
        assertThat(here.counters().remoteHandovers()).isZero();

        second.release();

        // By the first one it begins to listen, and asks once more when it does.
        handOverToTheOtherProcess();
        Duration heartbeat = EngineSettings.standard("any").heartbeat();
        long before;
        long start;
        // Once more if the machine stood still: who has waited for a heartbeat asks, maybe before the message is read.
        do {
            before = there.counters().remoteHandovers();
            start = System.nanoTime();
            handOverToTheOtherProcess();
        } while (System.nanoTime() - start >= heartbeat.toNanos());
        assertThat(there.counters().remoteHandovers()).isEqualTo(before + 1);
        assertThat(there.counters().localHandovers()).isZero();
    }

    private void handOverToTheOtherProcess() {
        Lease held = template.acquire(request("order:1"));
        CompletableFuture<LockOutcome> remote = otherProcess.acquireAsync(request("order:1"));
        await().atMost(LONG)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(5))
                .until(() -> here.inspect("order:1").join().waiting() == 1);
        held.release();
        ((LockOutcome.Acquired) remote.join()).lease().release();
    }

    @Test
    void busyAttemptsRenewalsAndLossesAreCounted() {
        Lease held = template.acquire(LockRequest.named("order:1")
                .renewedLease(Duration.ofMillis(4_500))
                .build());
        assertThat(otherProcess.attempt(request("order:1").toBuilder()
                        .tryLockTime(Duration.ZERO)
                        .build()))
                .isInstanceOf(LockOutcome.Busy.class);
        assertThat(there.counters().busyAttempts()).isEqualTo(1);
        await().atMost(LONG).until(() -> here.counters().renewals() >= 2);
        assertThat(held.isValid()).isTrue();
        backend.forceRelease("order:1");
        await().atMost(LONG).until(() -> here.counters().lostLeases() == 1);
        assertThat(here.snapshot().held()).isEmpty();
    }

    @Test
    void attemptsThatAStoppedProcessRefusesCountAsFailures() {
        here.close();
        assertThat(template.attempt(request("order:1"))).isInstanceOf(LockOutcome.BackendFailed.class);
        assertThat(here.counters().backendFailures()).isEqualTo(1);
    }
}
