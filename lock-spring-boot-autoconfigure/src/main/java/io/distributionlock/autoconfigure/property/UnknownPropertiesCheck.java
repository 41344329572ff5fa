package io.distributionlock.autoconfigure.property;

import io.distributionlock.internal.Internal;
import java.util.List;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
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
public class UnknownPropertiesCheck implements BeanFactoryPostProcessor, PriorityOrdered {

    private static final Log log = LogFactory.getLog(UnknownPropertiesCheck.class);

    private final Environment environment;

    public UnknownPropertiesCheck(Environment environment) {
        this.environment = environment;
    }

    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory beanFactory) {
        if (NativeDetector.inNativeImage() || !(environment instanceof ConfigurableEnvironment listable)) {
            return;
        }
        UnknownProperties properties = new UnknownProperties(listable);
        properties.findInVariables().forEach(UnknownPropertiesCheck::warn);
        List<UnknownProperty> unknown = properties.find();
        if (unknown.isEmpty()) {
            return;
        }
        if (!"warn".equalsIgnoreCase(environment.getProperty(LockProperties.PREFIX + ".validation"))) {
            throw new UnknownPropertiesException(unknown);
        }
        unknown.forEach(UnknownPropertiesCheck::warn);
    }

    private static void warn(UnknownProperty property) {
        log.warn("The property " + property.description() + " " + property.cure());
    }

    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE;
    }
}
