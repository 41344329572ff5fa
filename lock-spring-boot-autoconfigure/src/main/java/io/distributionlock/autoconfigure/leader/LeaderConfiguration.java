package io.distributionlock.autoconfigure.leader;

import io.distributionlock.autoconfigure.property.LockProperties;
import io.distributionlock.internal.Internal;
import io.distributionlock.leader.LeaderOnlyAdvisor;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;

/**
 * The advice for methods that only the leader runs.
 *
 * @hidden
 */
@Internal
@Configuration(proxyBeanMethods = false)
public class LeaderConfiguration {

    // Static and without dependencies, because an advisor is created before most post-processors.
    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static LeaderOnlyAdvisor leaderOnlyAdvisor(ConfigurableListableBeanFactory beanFactory) {
        return new LeaderOnlyAdvisor(beanFactory);
    }

    @Bean
    SmartInitializingSingleton leaderOnlyCheck(LeaderOnlyAdvisor advisor, ObjectProvider<LockProperties> properties) {
        return () -> advisor.check(() -> properties.getObject().validation() == LockProperties.Validation.FAIL);
    }
}
