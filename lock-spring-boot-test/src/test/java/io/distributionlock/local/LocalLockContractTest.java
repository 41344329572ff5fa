package io.distributionlock.local;

import io.distributionlock.contract.LockExecutorContract;
import io.distributionlock.contract.LockFixture;

/** The executor without a Redis keeps the contract of all executors. */
class LocalLockContractTest extends LockExecutorContract {

    @Override
    protected LockFixture newFixture() {
        return new LocalFixture();
    }
}
