package io.distributionlock.messages;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.autoconfigure.DistributionLockAutoConfiguration;
import io.distributionlock.hold.HeldLocks;
import io.distributionlock.quorum.QuorumLockExecutor;
import io.distributionlock.redis.RedisLockExecutor;
import org.apache.commons.logging.LogFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@link MessageCheck} reads what every module of the library logs, not that of one alone. */
class ModuleMessagesTest {

    @ParameterizedTest
    @ValueSource(
            classes = {
                HeldLocks.class,
                RedisLockExecutor.class,
                QuorumLockExecutor.class,
                DistributionLockAutoConfiguration.class
            })
    void whatEachModuleLogsIsRead(Class<?> type) {
        LogFactory.getLog(type).warn("Acquiring lock 'a' failed after 999999999 ms.");
        assertThat(MessageCheck.takeFound()).singleElement().asString().contains(type.getSimpleName());
    }
}
