package io.distributionlock.local;

import io.distributionlock.LockKind;
import io.distributionlock.test.contract.LockExecutorContract;
import io.distributionlock.test.contract.LockFixture;
import io.distributionlock.test.contract.SingleKindFixture;

/** A write lock keeps all that a plain one keeps. */
class LocalWriteLockContractTest extends LockExecutorContract {

    @Override
    protected LockFixture newFixture() {
        return new SingleKindFixture(LockKind.WRITE, new LocalFixture());
    }
}
