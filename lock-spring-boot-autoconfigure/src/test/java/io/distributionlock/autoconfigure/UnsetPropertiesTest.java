package io.distributionlock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.InvalidLockDefinitionException;
import io.distributionlock.testing.LockContextRunner;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.actuate.context.properties.ConfigurationPropertiesReportEndpoint;
import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** An application that sets no property when it starts. */
@Tag("boot4")
class UnsetPropertiesTest {

    private final ApplicationContextRunner application = LockContextRunner.redis(1);

    @Test
    void itsOwnBeanMayBeNamedLockProperties() {
        application
                .withBean("lockProperties", StringBuilder.class)
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(LockProperties.class));
    }

    /** It lists the properties of all beans. */
    @Test
    void theReportOfSpringBootWorks() {
        application
                .withBean(
                        ConfigurationPropertiesReportEndpoint.class,
                        () -> new ConfigurationPropertiesReportEndpoint(List.of(), Show.ALWAYS))
                .run(context -> assertThat(context.getBean(ConfigurationPropertiesReportEndpoint.class)
                                .configurationProperties()
                                .getContexts()
                                .values())
                        .flatMap(beans -> beans.getBeans().values())
                        .anySatisfy(bean -> assertThat(bean.getPrefix()).isEqualTo("distribution-lock")));
    }

    @Test
    void itsMistakesAreFoundAtTheStartEvenIfItsBeansAreLazy() {
        application
                .withInitializer(context ->
                        context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
                .withBean(Mistaken.class)
                .run(context -> assertThat(context).getFailure().isInstanceOf(InvalidLockDefinitionException.class));
    }

    static class Mistaken {

        @DistributionLock(key = "mistaken", holdLockTimeString = "soon")
        public void run() {}
    }
}
