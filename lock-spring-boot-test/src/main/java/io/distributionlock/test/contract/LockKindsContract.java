package io.distributionlock.contract;

import org.junit.jupiter.api.Nested;

/** What an executor with all kinds of locks keeps to, beside {@link LockExecutorContract}. */
public abstract class LockKindsContract {

    /** A new fixture for each test, with names nobody else uses. */
    protected abstract LockFixture newFixture();

    @Nested
    class OrderOfArrival extends OrderOfArrivalContract {
        @Override
        LockFixture newFixture() {
            return LockKindsContract.this.newFixture();
        }
    }

    @Nested
    class ReadersAndWriters extends ReadWriteContract {
        @Override
        LockFixture newFixture() {
            return LockKindsContract.this.newFixture();
        }
    }

    @Nested
    class OneLockForAllKinds extends MixedKindsContract {
        @Override
        LockFixture newFixture() {
            return LockKindsContract.this.newFixture();
        }
    }
}
