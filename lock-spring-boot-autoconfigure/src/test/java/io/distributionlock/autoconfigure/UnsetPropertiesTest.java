package io.distributionlock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributionlock.LockDefaults;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.InvalidLockDefinitionException;
import io.distributionlock.autoconfigure.property.LockProperties;
import io.distributionlock.testing.LockContextRunner;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.actuate.context.properties.ConfigurationPropertiesReportEndpoint;
import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.MapPropertySource;

/** An application that sets no property when it starts. */
@Tag("boot4")
class UnsetPropertiesTest {

    private final ApplicationContextRunner application = LockContextRunner.redis(1);

    private static void set(ConfigurableApplicationContext context, String property, String value) {
        context.getEnvironment().getPropertySources().addFirst(new MapPropertySource("late", Map.of(property, value)));
    }

    @Test
    void aPropertyThatIsSetBeforeTheFirstLockCounts() {
        application.run(context -> {
            set(context.getSourceApplicationContext(), "distribution-lock.defaults.hold-lock-time", "7s");
            assertThat(context.getBean(LockProperties.class).defaults().toLockDefaults())
                    .isNotEqualTo(LockDefaults.STANDARD)
                    .extracting(LockDefaults::holdLockTime)
                    .isEqualTo(Duration.ofSeconds(7));
        });
    }

    @Test
    void aWrongValueIsReportedWithTheNameOfItsProperty() {
        application.run(context -> {
            set(context.getSourceApplicationContext(), "distribution-lock.defaults.hold-lock-time", "soon");
            assertThatThrownBy(() -> context.getBean(LockProperties.class))
                    .hasRootCauseMessage("'soon' is not a valid duration")
                    .satisfies(thrown -> assertThat(Stream.iterate(thrown, cause -> cause != null, Throwable::getCause))
                            .filteredOn(BindException.class::isInstance)
                            .anySatisfy(cause -> assertThat(cause)
                                    .hasMessageContaining("distribution-lock.defaults.hold-lock-time")));
        });
    }

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
