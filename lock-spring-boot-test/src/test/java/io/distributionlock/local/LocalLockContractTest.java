package io.distributionlock.local;

import io.distributionlock.test.contract.LockExecutorContract;
import io.distributionlock.test.contract.LockFixture;

/** The executor without a Redis keeps the contract of all executors. */
class LocalLockContractTest extends LockExecutorContract {

    @Override
    protected LockFixture newFixture() {
        return new LocalFixture();
    }
}
