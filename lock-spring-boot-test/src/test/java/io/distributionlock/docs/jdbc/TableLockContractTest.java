package io.distributionlock.docs.jdbc;

import io.distributionlock.test.contract.LockExecutorContract;
import io.distributionlock.test.contract.LockFixture;

/** The example of the page on executors keeps the contract. */
class TableLockContractTest extends LockExecutorContract {

    @Override
    protected LockFixture newFixture() {
        return new TableFixture();
    }
}
