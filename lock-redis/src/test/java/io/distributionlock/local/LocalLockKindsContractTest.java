package io.distributionlock.local;

import io.distributionlock.test.contract.LockFixture;
import io.distributionlock.test.contract.LockKindsContract;

class LocalLockKindsContractTest extends LockKindsContract {

    @Override
    protected LockFixture newFixture() {
        return new LocalFixture();
    }
}
