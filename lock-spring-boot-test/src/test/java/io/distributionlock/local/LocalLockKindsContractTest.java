package io.distributionlock.local;

import io.distributionlock.contract.LockFixture;
import io.distributionlock.contract.LockKindsContract;

class LocalLockKindsContractTest extends LockKindsContract {

    @Override
    protected LockFixture newFixture() {
        return new LocalFixture();
    }
}
