package io.distributionlock.quorum;

import io.distributionlock.test.contract.LockExecutorContract;
import io.distributionlock.test.contract.LockFixture;
import io.distributionlock.testing.RedisProcess;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The executor over three servers, all of which have to agree, keeps the contract of all executors. */
@Tag("long")
class AllLockContractTest extends LockExecutorContract {

    private static List<RedisProcess> servers;

    @BeforeAll
    static void startServers() {
        servers = Stream.generate(RedisProcess::start).limit(3).toList();
    }

    @AfterAll
    static void stopServers() {
        servers.forEach(RedisProcess::close);
    }

    @Override
    protected LockFixture newFixture() {
        return new QuorumFixture(servers, QuorumMode.ALL);
    }
}
