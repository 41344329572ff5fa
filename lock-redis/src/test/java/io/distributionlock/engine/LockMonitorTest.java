package io.distributionlock.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributionlock.Lease;
import io.distributionlock.LockDefaults;
import io.distributionlock.LockKind;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockRequest;
import io.distributionlock.LockTemplate;
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

        long token = outer.fencingToken();
        LockSnapshot snapshot = here.snapshot();
        assertThat(here.instance()).isEqualTo(snapshot.instance());
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
}
