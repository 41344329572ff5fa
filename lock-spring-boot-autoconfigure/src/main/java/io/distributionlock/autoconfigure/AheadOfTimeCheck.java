package io.distributionlock.autoconfigure;

import io.distributionlock.LockExecutor;
import io.distributionlock.annotation.LockProblem;
import io.distributionlock.internal.MessageText;
import io.distributionlock.local.LocalLockExecutor;
import io.distributionlock.local.UnguardedLockExecutor;
import io.distributionlock.quorum.QuorumLockExecutor;
import io.distributionlock.redis.RedisLockExecutor;
import java.util.ArrayList;
import java.util.List;
import org.springframework.beans.factory.ListableBeanFactory;

/**
 * Finds properties that ask for other beans than an application has that was processed ahead of time: locks would be kept in another place
 * than configured, in silence.
 */
final class AheadOfTimeCheck {

    private final ListableBeanFactory beans;
    private final LockProperties properties;
    private final List<String> changed = new ArrayList<>();

    AheadOfTimeCheck(ListableBeanFactory beans, LockProperties properties) {
        this.beans = beans;
        this.properties = properties;
    }

    /** The properties that differ from what the beans were made for. */
    List<LockProblem> problems() {
        // The kill switch works whatever executors there are.
        if (properties.enabled()) {
            checkDefaultExecutor();
        }
        for (String election : properties.leader().elections()) {
            if (!beans.containsBean(LeaderElectionAutoConfiguration.electionBean(election))) {
                changed.add(LockProperties.Leader.PREFIX + ".elections");
            }
        }
        if (properties.redis().checkOnStart() && !beans.containsBean("distributionLockStartCheck")) {
            changed.add(LockProperties.PREFIX + ".redis.check-on-start");
        }
        if (changed.isEmpty()) {
            return List.of();
        }
        boolean unlocked = changed.contains(LockProperties.PREFIX + ".enabled");
        return List.of(new LockProblem(
                "The application was processed ahead of time with other values of " + MessageText.of(changed)
                        + ", which decide what beans there are.",
                "Set them to what they are at run time while the application is built, and build it again.",
                unlocked));
    }

    /** None of these beans exists if the application has an executor of its own. */
    private void checkDefaultExecutor() {
        String bean = LockExecutorConfigurations.EXECUTOR;
        if (!beans.containsBeanDefinition(bean)) {
            return;
        }
        if (beans.isTypeMatch(bean, UnguardedLockExecutor.class)) {
            changed.add(LockProperties.PREFIX + ".enabled");
        } else if (!beans.isTypeMatch(bean, typeOf(properties.executor()))) {
            changed.add(LockProperties.PREFIX + ".executor");
        }
    }

    private static Class<? extends LockExecutor> typeOf(LockProperties.Executor kind) {
        return switch (kind) {
            case LOCAL -> LocalLockExecutor.class;
            case REDIS -> RedisLockExecutor.class;
            case QUORUM -> QuorumLockExecutor.class;
        };
    }
}
