package io.distributionlock.contract;

import org.junit.jupiter.api.Nested;

/** All contract suites; a subclass says only how the processes of its executor are made. */
public abstract class LockExecutorContract {

    /** A new fixture for each test, with names nobody else uses. */
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
}
