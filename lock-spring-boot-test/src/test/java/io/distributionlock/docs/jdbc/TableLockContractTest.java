package io.distributionlock.docs.jdbc;

import io.distributionlock.test.contract.LockExecutorContract;
import io.distributionlock.test.contract.LockFixture;
import org.junit.jupiter.api.Tag;

/** The example of the page on executors keeps the contract. */
@Tag("long")
class TableLockContractTest extends LockExecutorContract {

    @Override
    protected LockFixture newFixture() {
        return new TableFixture();
    }
}
