package io.distributionlock.test.contract;

import io.distributionlock.LockExecutor;
import io.distributionlock.LockKind;
import org.junit.jupiter.api.Nested;

/**
 * What an executor with several kinds of locks promises beyond {@link LockExecutorContract}: the order of fair locks, readers and
 * writers, that a name is one lock for all kinds, and permits.
 *
 * <p>The executor declares its kinds by {@link LockExecutor#kinds()}. Tests of a kind that it does not declare are skipped; fair
 * locks need {@link LockKind#FAIR}, readers and writers need both {@link LockKind#READ} and {@link LockKind#WRITE}, permits need
 * {@link LockKind#PERMIT}.
 */
public abstract class LockKindsContract {

    /** For subclasses. */
    protected LockKindsContract() {}

    /** Returns a new fixture for one test. */
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
    class Permits extends PermitContract {
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
