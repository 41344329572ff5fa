package io.distributionlock.local;

import io.distributionlock.LockKind;
import io.distributionlock.contract.AskingFor;
import io.distributionlock.contract.LockExecutorContract;
import io.distributionlock.contract.LockFixture;

/** A write lock keeps all that a plain one keeps. */
class LocalWriteLockContractTest extends LockExecutorContract {

    @Override
    protected LockFixture newFixture() {
        return new AskingFor(LockKind.WRITE, new LocalFixture());
    }
}
