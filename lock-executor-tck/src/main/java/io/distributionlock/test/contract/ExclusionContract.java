package io.distributionlock.test.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.Lease;
import io.distributionlock.LockRequest;
import io.distributionlock.LockTemplate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** At most one holder at a time. */
abstract class ExclusionContract extends ContractSuite {

    private static final int THREADS_OF_A_PROCESS = 8;
    private static final int SECTIONS_OF_A_THREAD = 40;

    @OnEveryThreadKind
    void twoProcessesLoseNoIncrement() throws Exception {
        Counter counter = new Counter();
        for (LockTemplate process : List.of(here, there)) {
            for (int i = 0; i < THREADS_OF_A_PROCESS; i++) {
                crew.start(() -> countUnderLock(process, counter));
            }
        }
        crew.join();
        assertThat(counter.value).isEqualTo(2 * THREADS_OF_A_PROCESS * SECTIONS_OF_A_THREAD);
        assertThat(counter.overlaps).isZero();
    }

    private Void countUnderLock(LockTemplate process, Counter counter) {
        for (int i = 0; i < SECTIONS_OF_A_THREAD; i++) {
            try (Lease lease = process.acquire(patient())) {
                counter.increment();
                assertThat(lease.isValid()).isTrue();
            }
        }
        return null;
    }

    @OnEveryThreadKind
    void otherThreadsAndProcessesFindTheLockBusy() throws Exception {
        try (Lease lease = here.acquire(once())) {
            assertThat(lease.name()).isEqualTo(name);
            assertBusy(here);
            assertBusy(there);
            assertThat(crew.call(() -> there.tryAcquire(once()))).isEmpty();
        }
        assertFreeAtOnce(there);
        assertFreeAtOnce(here);
    }

    @OnEveryThreadKind
    void similarNamesAreDifferentLocks() {
        List<String> lookAlikes = List.of(
                "a", "A", "a ", "{a}", "a}", "{a", "%7Ba", "a:b", "a{b}", "a:fence", "a:queue", "锁", "a\nb", "a*");
        List<Lease> leases = new ArrayList<>();
        for (String suffix : lookAlikes) {
            // Without waiting: a waiter asks whether the holder knows the lock, and it does not by another name.
            LockRequest request =
                    LockRequest.named(name(suffix)).tryLockTime(Duration.ZERO).build();
            LockTemplate process = leases.size() % 2 == 0 ? here : there;
            leases.add(process.acquire(request));
        }
        assertThat(leases).allMatch(Lease::isValid);
        leases.forEach(Lease::close);
    }

    @OnEveryThreadKind
    void unusualNamesAreOneLockInAllProcesses() throws Exception {
        for (String suffix : List.of("{}", "}{", "%s \\ \" '", "x".repeat(2_000), "订单🔒")) {
            LockRequest request =
                    LockRequest.named(name(suffix)).tryLockTime(Duration.ZERO).build();
            try (Lease lease = here.acquire(request)) {
                assertThat(lease.name()).isEqualTo(request.name());
                assertBusy(there, request);
            }
        }
    }

    /** Neither atomic nor volatile, on purpose: only the lock protects it. */
    private static final class Counter {
        private int value;
        private boolean inside;
        private int overlaps;

        @SuppressWarnings("ThreadPriorityCheck") // Makes a lost increment likelier.
        void increment() {
            if (inside) {
                overlaps++;
            }
            inside = true;
            int before = value;
            Thread.yield();
            value = before + 1;
            inside = false;
        }
    }
}
