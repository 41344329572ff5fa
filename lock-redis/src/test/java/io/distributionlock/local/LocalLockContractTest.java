package io.distributionlock.local;

import io.distributionlock.test.contract.LockExecutorContract;
import io.distributionlock.test.contract.LockFixture;
import org.junit.jupiter.api.Tag;

/** The executor without a Redis keeps the contract of all executors. */
@Tag("threads")
class LocalLockContractTest extends LockExecutorContract {

    @Override
    protected LockFixture newFixture() {
        return new LocalFixture();
    }
}
