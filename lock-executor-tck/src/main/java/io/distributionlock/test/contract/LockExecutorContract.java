package io.distributionlock.test.contract;

import io.distributionlock.LockExecutor;
import io.distributionlock.LockKind;
import io.distributionlock.LockTemplate;
import org.junit.jupiter.api.Nested;

/**
 * What every {@link LockExecutor} promises, for its re-entrant locks ({@link LockKind#REENTRANT}). An executor that passes these tests
 * works below {@link LockTemplate} and the annotations as those of this library do.
 *
 * <p>A subclass creates the executor's processes:
 *
 * <pre>{@code
 * class TableLockContractTest extends LockExecutorContract {
 *
 *     @Override
 *     protected LockFixture newFixture() {
 *         return new TableFixture(dataSource);
 *     }
 * }
 * }</pre>
 *
 * <p>Each test has a new fixture with two processes and names that no other test uses; from JDK 21 on it runs on a platform and on
 * a virtual thread. The nested classes say what is tested: exclusion, re-entry, expiry, renewal, interruption, time-out, fencing,
 * cancellation, ownership, several locks together, the {@link java.util.concurrent.locks.Lock} view, loss, minimum hold time, fairness, and what the
 * executor declares about itself.
 */
public abstract class LockExecutorContract {

    /** For subclasses. */
    protected LockExecutorContract() {}

    /** Returns a new fixture for one test. */
    protected abstract LockFixture newFixture();

    @Nested
    class Exclusion extends ExclusionContract {
        @Override
        LockFixture newFixture() {
            return LockExecutorContract.this.newFixture();
        }
    }

    @Nested
    class Reentry extends ReentryContract {
        @Override
        LockFixture newFixture() {
            return LockExecutorContract.this.newFixture();
        }
    }

    @Nested
    class Expiry extends ExpiryContract {
        @Override
        LockFixture newFixture() {
            return LockExecutorContract.this.newFixture();
        }
    }

    @Nested
    class Renewal extends RenewalContract {
        @Override
        LockFixture newFixture() {
            return LockExecutorContract.this.newFixture();
        }
    }

    @Nested
    class Interruption extends InterruptionContract {
        @Override
        LockFixture newFixture() {
            return LockExecutorContract.this.newFixture();
        }
    }

    @Nested
    class Timeout extends TimeoutContract {
        @Override
        LockFixture newFixture() {
            return LockExecutorContract.this.newFixture();
        }
    }

    @Nested
    class Fencing extends FencingContract {
        @Override
        LockFixture newFixture() {
            return LockExecutorContract.this.newFixture();
        }
    }

    @Nested
    class Cancellation extends CancellationContract {
        @Override
        LockFixture newFixture() {
            return LockExecutorContract.this.newFixture();
        }
    }

    @Nested
    class Owner extends OwnerContract {
        @Override
        LockFixture newFixture() {
            return LockExecutorContract.this.newFixture();
        }
    }

    @Nested
    class SeveralLocks extends SeveralLocksContract {
        @Override
        LockFixture newFixture() {
            return LockExecutorContract.this.newFixture();
        }
    }

    @Nested
    class View extends ViewContract {
        @Override
        LockFixture newFixture() {
            return LockExecutorContract.this.newFixture();
        }
    }

    @Nested
    class Loss extends LossContract {
        @Override
        LockFixture newFixture() {
            return LockExecutorContract.this.newFixture();
        }
    }

    @Nested
    class MinHold extends MinHoldContract {
        @Override
        LockFixture newFixture() {
            return LockExecutorContract.this.newFixture();
        }
    }

    @Nested
    class Fairness extends FairnessContract {
        @Override
        LockFixture newFixture() {
            return LockExecutorContract.this.newFixture();
        }
    }

    @Nested
    class Declaration extends DeclarationContract {
        @Override
        LockFixture newFixture() {
            return LockExecutorContract.this.newFixture();
        }
    }
}
