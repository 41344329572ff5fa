package io.distributionlock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.test.contract.LockExecutorContract;
import io.distributionlock.test.contract.LockFixture;
import io.distributionlock.testing.RedisConnections;
import io.distributionlock.testing.RedisProcess;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The contract is kept by a user who may do no more than {@link RedisAcl} says. */
@Tag("server")
@Tag("long")
class LeastPrivilegeContractTest extends LockExecutorContract {

    private static RedisProcess redis;

    @BeforeAll
    static void startRedis() {
        redis = RedisProcess.start();
        String rule = "ACL SETUSER locks reset on >secret " + RedisAcl.rule("distribution-lock");
        assertThat(redis.command(rule.split(" "))).isEqualTo("OK");
    }

    @AfterAll
    static void stopRedis() {
        redis.close();
    }

    @AfterEach
    void nothingWasRefused() {
        assertThat(redis.refusals()).isEmpty();
    }

    @Override
    protected LockFixture newFixture() {
        return new RedisFixture(redis, () -> RedisConnections.to(redis.port(), "locks", "secret"));
    }
}
