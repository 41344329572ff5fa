package io.distributionlock.autoconfigure.property;

import io.distributionlock.internal.Internal;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.EnvironmentAware;
import org.springframework.core.NativeDetector;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;

/**
 * Fails the start if a property is set that does not exist: Spring Boot would ignore it, and a lock would wait or last other than
 * intended. Runs before any bean is created, so that it reports the cause rather than its consequences. A native image is checked only
 * when it is built, because it does not know the properties at run time.
 *
 * @hidden
 */
@Internal
public class UnknownPropertiesCheck implements BeanFactoryPostProcessor, EnvironmentAware, PriorityOrdered {

    private @Nullable Environment environment;

    @Override
    public void setEnvironment(Environment ofApplication) {
        environment = ofApplication;
    }

    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory beanFactory) {
        check(environment);
    }

    /** @throws UnknownPropertiesException if there are unknown properties, unless they are to be logged only */
    public static void check(@Nullable Environment environment) {
        if (!NativeDetector.inNativeImage() && environment instanceof ConfigurableEnvironment listable) {
            new UnknownProperties(listable).report();
        }
    }

    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE;
    }
}
