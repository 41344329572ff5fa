package io.distributionlock.autoconfigure;

import io.distributionlock.LockExecutor;
import io.distributionlock.LockTemplate;
import io.distributionlock.annotation.LockProblem;
import io.distributionlock.interceptor.DistributionLockAdvisor;
import io.distributionlock.leader.LeaderElection;
import io.distributionlock.leader.LeaderOnlyAdvisor;
import io.distributionlock.validation.LockDefinitionValidator;
import io.distributionlock.validation.LockedBeans;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.AotDetector;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Finds every mistake at the end of the start, if the application has a locked method: creates the beans that lock, as if they were not
 * lazy, and checks all declarations. Does nothing otherwise.
 */
final class LockStart implements SmartInitializingSingleton, BeanFactoryAware {

    private @Nullable ConfigurableListableBeanFactory beanFactory;

    @Override
    public void setBeanFactory(BeanFactory owner) {
        beanFactory = (ConfigurableListableBeanFactory) owner;
    }

    @Override
    public void afterSingletonsInstantiated() {
        start(Objects.requireNonNull(beanFactory));
    }

    private static void start(ConfigurableListableBeanFactory beans) {
        if (AotDetector.useGeneratedArtifacts()) {
            LockProperties properties = beans.getBean(LockProperties.class);
            List<LockProblem> problems = new AheadOfTimeCheck(beans, properties).problems();
            LockDefinitionValidator.report(problems, stopsAtProblems(properties));
        }
        DistributionLockAdvisor advisor = beans.getBean("distributionLockAdvisor", DistributionLockAdvisor.class);
        LeaderOnlyAdvisor leaderOnly = beans.getBean("distributionLockLeaderOnlyAdvisor", LeaderOnlyAdvisor.class);
        LockedBeans locked = new LockedBeans(beans, advisor.lockedMethods());
        List<LockProblem> withoutProxies = locked.withoutProxies(leaderOnly::matches);
        if (!withoutProxies.isEmpty()) {
            LockDefinitionValidator.report(withoutProxies, stopsAtProblems(beans.getBean(LockProperties.class)));
        } else if (leaderOnly.hasMethods()
                || locked.exist()
                || beans.getBeanNamesForType(LeaderElection.class, false, false).length > 0) {
            LockProperties properties = beans.getBean(LockProperties.class);
            beans.getBeansOfType(LockExecutor.class, false, true);
            beans.getBeansOfType(LockTemplate.class, false, true);
            new LockDefinitionValidator(beans, advisor, stopsAtProblems(properties)).check(leaderOnly.problems());
        }
    }

    private static boolean stopsAtProblems(LockProperties properties) {
        return properties.validation() == LockProperties.Validation.FAIL;
    }
}
