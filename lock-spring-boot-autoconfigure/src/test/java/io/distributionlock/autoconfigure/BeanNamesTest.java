package io.distributionlock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.LockContext;
import io.distributionlock.LockTemplate;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.testing.LockContextRunner;
import io.distributionlock.testing.MovedClasses;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** The beans of the library have names of its own: applications and other libraries have locks too. */
@Tag("boot4")
class BeanNamesTest {

    private static final String LEADER = "distribution-lock.leader.elections=outbox";

    private static Set<String> beans(ApplicationContextRunner application) {
        Set<String> names = new TreeSet<>();
        application
                .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
                .withBean(ObservationRegistry.class, ObservationRegistry::create)
                .withPropertyValues(
                        "spring.main.lazy-initialization=true",
                        "management.endpoints.web.exposure.include=*",
                        "distribution-lock.endpoint.force-release.enabled=true",
                        "distribution-lock.events.enabled=true")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    names.addAll(List.of(context.getBeanDefinitionNames()));
                });
        return names;
    }

    private static ApplicationContextRunner withoutTheLibrary() {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class))
                .withConfiguration(AutoConfigurations.of(MovedClasses.redisAutoConfiguration()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "distribution-lock.executor=redis",
                "distribution-lock.executor=quorum",
                "distribution-lock.executor=local",
                "distribution-lock.enabled=false"
            })
    void allNamesAreOfTheLibrary(String executor) {
        Set<String> ours = beans(LockContextRunner.redis(1)
                .withPropertyValues(
                        executor, "distribution-lock.quorum.nodes=redis://127.0.0.1:1,redis://127.0.0.1:2"));
        assertThat(ours).contains("distributionLockTemplate", "distributionLockExecutor", "distributionLocksEndpoint");

        ours.removeAll(beans(withoutTheLibrary()));
        ours.removeIf(name -> name.contains("io.distributionlock."));
        assertThat(ours).isNotEmpty().allMatch(name -> name.startsWith("distributionLock"));
    }

    @Test
    void anElectionHasANameOfTheLibraryToo() {
        Set<String> ours = beans(LockContextRunner.local().withPropertyValues(LEADER));
        ours.removeAll(beans(LockContextRunner.local()));
        assertThat(ours).isNotEmpty().allMatch(name -> name.startsWith("distributionLock"));
    }

    /** Names that applications use, and what is left of those of the library without its own first word. */
    @Test
    void anApplicationMayUseEveryOtherName() {
        Set<String> ours = beans(LockContextRunner.local().withPropertyValues(LEADER));
        Set<String> taken = new TreeSet<>(List.of(
                "lock",
                "locks",
                "executor",
                "lockExecutor",
                "redisLockExecutor",
                "lockRegistry",
                "lockProvider",
                "lockAdvisor",
                "leaderElection",
                "outboxLeaderElection",
                "outbox"));
        ours.stream()
                .filter(name -> name.startsWith("distributionLock"))
                .map(name -> name.substring("distribution".length()))
                .flatMap(name -> Stream.of(name, name.replaceFirst("Locks?", "")))
                .map(name -> name.isEmpty() ? name : name.substring(0, 1).toLowerCase(Locale.ROOT) + name.substring(1))
                .filter(name -> !name.isEmpty())
                .forEach(taken::add);
        assertThat(taken).contains("lockTemplate", "lockScope", "lockEvents", "lockStart", "template");

        ApplicationContextRunner application = LockContextRunner.local(Locked.class)
                .withPropertyValues(LEADER, "distribution-lock.events.enabled=true");
        for (String name : taken) {
            application = application.withBean(name, String.class, () -> "of the application");
        }
        application.run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(context.getBean(Locked.class).name()).isEqualTo("mine");
            assertThat(context).hasSingleBean(LockTemplate.class);
        });
    }

    static class Locked {

        @DistributionLock(key = "mine")
        public String name() {
            return LockContext.leases().get(0).name();
        }
    }
}
