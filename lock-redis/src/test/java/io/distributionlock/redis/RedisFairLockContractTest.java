package io.distributionlock.redis;

import io.distributionlock.LockKind;
import io.distributionlock.test.contract.LockExecutorContract;
import io.distributionlock.test.contract.LockFixture;
import io.distributionlock.test.contract.SingleKindFixture;
import io.distributionlock.testing.RedisProcess;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;

/** A fair lock keeps all that a re-entrant one keeps. */
@Tag("server")
@Tag("long")
class RedisFairLockContractTest extends LockExecutorContract {

    @AutoClose
    private static final RedisProcess redis = RedisProcess.start();

    @Override
    protected LockFixture newFixture() {
        return new SingleKindFixture(LockKind.FAIR, new RedisFixture(redis));
    }
}
