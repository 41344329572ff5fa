package io.distributionlock.local;

import io.distributionlock.LockKind;
import io.distributionlock.test.contract.LockExecutorContract;
import io.distributionlock.test.contract.LockFixture;
import io.distributionlock.test.contract.SingleKindFixture;
import org.junit.jupiter.api.Tag;

/** A write lock keeps all that a plain one keeps. */
@Tag("long")
class LocalSinglePermitContractTest extends LockExecutorContract {

    @Override
    protected LockFixture newFixture() {
        return new SingleKindFixture(LockKind.PERMIT, new LocalFixture());
    }
}
