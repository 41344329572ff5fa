package io.distributionlock.autoconfigure;

import io.distributionlock.LockTemplate;
import io.distributionlock.leader.LeaderElection;
import java.util.List;
import org.springframework.beans.factory.HierarchicalBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;

/**
 * Auto-configuration for a {@link LeaderElection} for each of {@code distribution-lock.leader.elections}, qualified by its name. A bean
 * that the application defines under the same bean name is kept.
 */
@AutoConfiguration(after = DistributionLockAutoConfiguration.class)
@Import(LeaderElectionAutoConfiguration.Elections.class)
public final class LeaderElectionAutoConfiguration {

    static String electionBean(String name) {
        return "distributionLockElection." + name;
    }

    static class Elections implements ImportBeanDefinitionRegistrar {

        private final Environment environment;

        Elections(Environment environment) {
            this.environment = environment;
        }

        @Override
        public void registerBeanDefinitions(AnnotationMetadata importing, BeanDefinitionRegistry registry) {
            List<String> names = Binder.get(environment)
                    .bind(LockProperties.Leader.PREFIX + ".elections", Bindable.listOf(String.class))
                    .orElse(List.of());
            for (String name : names) {
                if (!existsInParent(electionBean(name), registry)) {
                    QualifiedBeans.register(
                            registry,
                            electionBean(name),
                            QualifiedBeans.definition(name, LeaderElection.class, Elections.class, "election", name));
                }
            }
        }

        /** A child context has the properties of its parent too: a second election of one process would wait for the first. */
        private static boolean existsInParent(String bean, BeanDefinitionRegistry registry) {
            return registry instanceof HierarchicalBeanFactory beans
                    && beans.getParentBeanFactory() != null
                    && beans.getParentBeanFactory().containsBean(bean);
        }

        static LeaderElection election(String name, LockTemplate locks, LockProperties properties) {
            return new LeaderElection(locks, name, properties.leader().leaseTime());
        }
    }
}
