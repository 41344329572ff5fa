package io.distributionlock.autoconfigure.health;

import io.distributionlock.autoconfigure.DistributionLockAutoConfiguration;
import io.distributionlock.leader.LeaderElection;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.context.annotation.Import;

/** Shows in the health of the application who leads its elections. */
@AutoConfiguration(after = DistributionLockAutoConfiguration.class)
@ConditionalOnBean(LeaderElection.class)
@Import(LeaderHealthAutoConfiguration.Elections.class)
public class LeaderHealthAutoConfiguration {

    /** The name of the contributor, which is part of its switch {@code management.health.leader-election.enabled}. */
    static final String NAME = "leader-election";

    static final String BEAN = "leaderElectionHealthContributor";

    static class Elections extends OfThisSpringBoot {

        Elections(@Nullable ClassLoader classLoader) {
            super(classLoader);
        }

        @Override
        Class<?> forBoot3() {
            return LeaderHealthConfiguration.class;
        }

        @Override
        Class<?> forBoot4() {
            return LeaderHealthBoot4Configuration.class;
        }
    }
}
