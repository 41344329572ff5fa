package io.distributionlock.test;

import io.distributionlock.autoconfigure.DistributionLockAutoConfiguration;
import io.distributionlock.autoconfigure.LeaderElectionAutoConfiguration;
import io.distributionlock.autoconfigure.LockObservationAutoConfiguration;
import io.distributionlock.autoconfigure.LockTransactionAutoConfiguration;
import io.distributionlock.autoconfigure.LockWebAutoConfiguration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.AnnotatedBeanDefinitionReader;
import org.springframework.context.annotation.Configuration;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.MergedContextConfiguration;
import org.springframework.test.context.TestContextAnnotationUtils;
import org.springframework.test.context.support.TestPropertySourceUtils;

/** Makes {@link LocalLocks} and {@link ScriptedLocks} work. */
final class TestLocksCustomizerFactory implements ContextCustomizerFactory {

    @Override
    public @Nullable ContextCustomizer createContextCustomizer(
            Class<?> testClass, List<ContextConfigurationAttributes> configurations) {
        boolean local = TestContextAnnotationUtils.hasAnnotation(testClass, LocalLocks.class);
        boolean scripted = TestContextAnnotationUtils.hasAnnotation(testClass, ScriptedLocks.class);
        if (local && scripted) {
            throw new IllegalStateException(testClass.getName()
                    + " has both @LocalLocks and @ScriptedLocks: take @LocalLocks away, for scripted locks are"
                    + " local too.");
        }
        if (scripted) {
            return new Scripted();
        }
        return local ? new Local() : null;
    }

    /**
     * What a slice of the application leaves out, such as {@code @WebMvcTest}: without the advice its services would run unlocked,
     * and tests that expect them to succeed would pass.
     */
    private static void bringLocks(ConfigurableApplicationContext context) {
        BeanDefinitionRegistry registry = (BeanDefinitionRegistry) context.getBeanFactory();
        new AnnotatedBeanDefinitionReader(registry, context.getEnvironment()).register(Locks.class);
    }

    /** In its place among the other auto-configurations, once, if the application has it too. */
    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({
        AopAutoConfiguration.class,
        DistributionLockAutoConfiguration.class,
        LeaderElectionAutoConfiguration.class,
        LockObservationAutoConfiguration.class,
        LockTransactionAutoConfiguration.class,
        LockWebAutoConfiguration.class
    })
    static class Locks {}

    /** A record, so that tests which want the same share a context. */
    private record Local() implements ContextCustomizer {

        @Override
        public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration configuration) {
            TestPropertySourceUtils.addInlinedPropertiesToEnvironment(context, "distribution-lock.executor=local");
            bringLocks(context);
        }
    }

    private record Scripted() implements ContextCustomizer {

        @Override
        public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration configuration) {
            RootBeanDefinition executor = new RootBeanDefinition(ScriptedLockExecutor.class);
            executor.setPrimary(true);
            BeanDefinitionRegistry registry = (BeanDefinitionRegistry) context.getBeanFactory();
            registry.registerBeanDefinition("distributionLockScriptedExecutor", executor);
            bringLocks(context);
        }
    }
}
