package io.distributionlock.observation;

import io.distributionlock.Lease.LossReason;
import io.distributionlock.LockExecutor;
import io.distributionlock.LockKind;
import io.distributionlock.LockRequest;
import io.distributionlock.local.LocalBackend;
import io.distributionlock.local.LocalLockExecutor;
import io.distributionlock.monitor.LockObserver;
import io.distributionlock.test.contract.LockExecutorContract;
import io.distributionlock.test.contract.LockFixture;
import io.distributionlock.test.contract.SingleKindFixture;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;

/** An observed executor keeps all that the executor itself keeps, with fair locks in memory. */
@Tag("long")
class ObservedLockContractTest extends LockExecutorContract {

    @Override
    protected LockFixture newFixture() {
        return new SingleKindFixture(LockKind.FAIR, new ObservedFixture());
    }

    private static final class ObservedFixture implements LockFixture {

        private final LocalBackend backend = new LocalBackend();
        private final List<LocalLockExecutor> processes = new ArrayList<>();

        @Override
        public LockExecutor newProcess() {
            LocalLockExecutor process = new LocalLockExecutor(backend);
            processes.add(process);
            return new ObservedLockExecutor(process, List.of(new Failing(), new Silent()));
        }

        @Override
        public List<String> traces(String name) {
            return backend.namesInUse().stream().filter(name::equals).toList();
        }

        @Override
        public void close() {
            processes.forEach(LocalLockExecutor::close);
        }
    }

    /** Throws whatever it is told. */
    private static final class Failing implements LockObserver {

        @Override
        public Attempt attempt(LockRequest request) {
            throw new IllegalStateException("an observer that fails on purpose");
        }
    }

    private static final class Silent implements LockObserver {

        @Override
        public Attempt attempt(LockRequest request) {
            return lease -> new Hold() {
                @Override
                public void released() {
                    throw new IllegalStateException("an observer that fails on purpose");
                }

                @Override
                public void lost(LossReason reason) {
                    throw new IllegalStateException("an observer that fails on purpose");
                }
            };
        }
    }
}
