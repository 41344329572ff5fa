package io.distributionlock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.redis.message.MessageMode;
import io.distributionlock.test.contract.LockExecutorContract;
import io.distributionlock.test.contract.LockFixture;
import io.distributionlock.testing.RedisProcess;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;

/** The contract is kept without a message. */
@Tag("long")
class PollingLockContractTest extends LockExecutorContract {

    @AutoClose
    private static final RedisProcess redis = RedisProcess.start();

    @AfterEach
    void nobodyPublishedOrSubscribed() {
        for (String command : List.of("publish", "spublish", "subscribe", "ssubscribe")) {
            assertThat(redis.calls(command)).as(command).isZero();
        }
    }

    @Override
    protected LockFixture newFixture() {
        return new RedisFixture(redis, MessageMode.NONE);
    }
}
