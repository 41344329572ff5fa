package io.distributionlock.autoconfigure;

import io.distributionlock.LockExecutor;
import io.distributionlock.LockTemplate;
import io.distributionlock.autoconfigure.property.LockProperties;
import io.distributionlock.autoconfigure.property.SetProperties;
import io.distributionlock.autoconfigure.property.UnknownPropertiesCheck;
import io.distributionlock.interceptor.DistributionLockAdvisor;
import io.distributionlock.interceptor.LockOverrides;
import io.distributionlock.leader.LeaderOnlyAdvisor;
import io.distributionlock.validation.LockDefinitionValidator;
import io.distributionlock.validation.LockedBeans;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.Environment;

/**
 * Finds every mistake at the end of the start, if the application has a locked method or has set a property of the library: creates
 * the beans that lock, as if they were not lazy, and checks all declarations. Does nothing otherwise.
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
        Environment environment =
                beans.getBean(ConfigurableApplicationContext.ENVIRONMENT_BEAN_NAME, Environment.class);
        DistributionLockAdvisor advisor = beans.getBean("distributionLockAdvisor", DistributionLockAdvisor.class);
        boolean configured = SetProperties.exist(environment);
        if (configured && beans.getBeanNamesForType(UnknownPropertiesCheck.class).length == 0) {
            // Set since the application was processed ahead of time.
            UnknownPropertiesCheck.check(environment);
        }
        LeaderOnlyAdvisor leaderOnly = beans.getBean("leaderOnlyAdvisor", LeaderOnlyAdvisor.class);
        if (configured || leaderOnly.hasMethods() || new LockedBeans(beans, advisor.lockedMethods()).exist()) {
            LockProperties properties = beans.getBean(LockProperties.class);
            beans.getBeansOfType(LockExecutor.class, false, true);
            beans.getBeansOfType(LockTemplate.class, false, true);
            beans.getBeansOfType(LockOverrides.class, false, true);
            boolean fail = properties.validation() == LockProperties.Validation.FAIL;
            new LockDefinitionValidator(beans, advisor, fail, properties.findSelfInvocations())
                    .check(leaderOnly.problems());
        }
    }
}
