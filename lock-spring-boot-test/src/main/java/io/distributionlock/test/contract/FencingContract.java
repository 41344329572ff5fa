package io.distributionlock.test.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.Lease;
import io.distributionlock.LockTemplate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Each acquisition has a greater token than all earlier ones of the same name. */
abstract class FencingContract extends ContractSuite {

    @OnEveryThreadKind
    void tokensGrowInTheOrderOfAcquisition() throws Exception {
        // Guarded by the lock alone.
        List<Long> numbers = new ArrayList<>();
        List<Crew.Member<?>> members = new ArrayList<>();
        for (LockTemplate process : List.of(here, there)) {
            for (int i = 0; i < 4; i++) {
                members.add(crew.start(() -> takeNumbers(process, numbers)));
            }
        }
        for (Crew.Member<?> member : members) {
            member.result();
        }
        assertThat(numbers).hasSize(200).isSorted().doesNotHaveDuplicates();
    }

    private Void takeNumbers(LockTemplate process, List<Long> numbers) {
        for (int i = 0; i < 25; i++) {
            try (Lease lease = process.acquire(patient())) {
                numbers.add(lease.fencingToken());
            }
        }
        return null;
    }

    @OnEveryThreadKind
    void tokensGrowForOneThread() {
        long last = 0;
        for (int i = 0; i < 200; i++) {
            try (Lease lease = here.acquire(patient())) {
                assertThat(lease.fencingToken()).isGreaterThan(last);
                last = lease.fencingToken();
            }
        }
    }

    @OnEveryThreadKind
    void reentryHasNoSmallerToken() {
        try (Lease outer = here.acquire(once());
                Lease inner = here.acquire(once())) {
            assertThat(inner.fencingToken()).isGreaterThanOrEqualTo(outer.fencingToken());
        }
    }

    @OnEveryThreadKind
    void lostLeaseHasASmallerToken() throws Exception {
        Lease lost = here.acquire(fixed(Duration.ofMillis(300)));
        Lease next = crew.call(() -> there.acquire(fixed(Duration.ofMillis(300))));
        Lease last = crew.call(() -> here.acquire(patient()));
        assertThat(List.of(lost.fencingToken(), next.fencingToken(), last.fencingToken()))
                .isSorted()
                .doesNotHaveDuplicates();
        List.of(lost, next, last).forEach(Lease::close);
    }
}
