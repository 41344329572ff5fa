package io.distributionlock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.DistributionLockParam;
import io.distributionlock.annotation.DistributionLocks;
import io.distributionlock.annotation.ScheduledLock;
import io.distributionlock.observation.LocksEndpoint;
import io.distributionlock.observation.LocksWebExtension;
import io.distributionlock.testing.LockContextRunner;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.TypeReference;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.javapoet.ClassName;

/** What an application tells GraalVM about its locks after ahead-of-time processing. */
@Tag("boot4")
class LockRuntimeHintsTest {

    private final RuntimeHints hints = hintsOf(OrderService.class, Unlocked.class);

    private static RuntimeHints hintsOf(Class<?>... beans) {
        return hintsOf(
                Map.of(
                        "management.endpoints.web.exposure.include",
                        "distributionlocks",
                        "distribution-lock.endpoint.force-release.enabled",
                        "true"),
                beans);
    }

    private static RuntimeHints hintsOf(Map<String, Object> properties, Class<?>... beans) {
        try (AnnotationConfigApplicationContext application = new AnnotationConfigApplicationContext()) {
            application.getEnvironment().getPropertySources().addFirst(new MapPropertySource("test", properties));
            application.register(LockContextRunner.autoConfigurations());
            for (Class<?> bean : beans) {
                application.registerBeanDefinition(bean.getSimpleName(), new RootBeanDefinition(bean));
            }
            DefaultGenerationContext generation = new DefaultGenerationContext(
                    new ClassNameGenerator(ClassName.get("test", "Application")), new InMemoryGeneratedFiles());
            new ApplicationContextAotGenerator().processAheadOfTime(application, generation);
            return generation.getRuntimeHints();
        }
    }

    @Test
    void everyScriptIsInTheImage() throws IOException {
        assertThat(new PathMatchingResourcePatternResolver().getResources("classpath*:io/distributionlock/**/*.lua"))
                .extracting(Resource::getFilename)
                .contains("lock.lua", "release-uncontended.lua", "renew.lua", "commands.lua");
        assertThat(new PathMatchingResourcePatternResolver().getResources("classpath*:io/distributionlock/**/*.lua"))
                .allSatisfy(script -> {
                    String path = script.getURL().toString();
                    String resource = path.substring(path.lastIndexOf("io/distributionlock/"));
                    assertThat(RuntimeHintsPredicates.resource().forResource(resource))
                            .as(resource)
                            .accepts(hints);
                });
    }

    @Test
    void everyAnnotationCanBeReadMerged() {
        Set<Class<?>> annotations = new ClassFileImporter()
                .importPackagesOf(DistributionLock.class).stream()
                        .filter(JavaClass::isAnnotation)
                        .map(JavaClass::reflect)
                        .collect(Collectors.toSet());
        assertThat(annotations)
                .contains(DistributionLock.class, DistributionLocks.class, ScheduledLock.class)
                .allSatisfy(annotation -> {
                    assertThat(RuntimeHintsPredicates.proxies().forInterfaces(annotation))
                            .accepts(hints);
                    assertThat(RuntimeHintsPredicates.reflection()
                                    .onType(annotation)
                                    .withMemberCategory(MemberCategory.INVOKE_DECLARED_METHODS))
                            .accepts(hints);
                });
    }

    @Test
    void whatTheEndpointAnswersCanBeWrittenAsJson() {
        Class<?>[] answers = LocksEndpoint.class.getClasses();
        assertThat(answers).hasSizeGreaterThan(5).allSatisfy(answer -> {
            for (RecordComponent component : answer.getRecordComponents()) {
                assertThat(RuntimeHintsPredicates.reflection().onMethod(component.getAccessor()))
                        .as("%s.%s", answer.getSimpleName(), component.getName())
                        .accepts(hints);
            }
        });
    }

    @Test
    void theOperationsOfTheEndpointCanBeCalled() {
        assertThat(Stream.of(LocksEndpoint.class, LocksWebExtension.class)
                        .flatMap(type -> Stream.of(type.getDeclaredMethods()))
                        .filter(method -> method.isAnnotationPresent(ReadOperation.class)
                                || method.isAnnotationPresent(DeleteOperation.class)))
                .hasSizeGreaterThan(2)
                .allSatisfy(operation -> assertThat(
                                RuntimeHintsPredicates.reflection().onMethod(operation))
                        .accepts(hints));
    }

    @Test
    void theMethodsOfALockedBeanAndItsSuperclassCanBeCalled() {
        assertThat(categoriesOf(OrderService.class)).contains(MemberCategory.INVOKE_DECLARED_METHODS);
        assertThat(categoriesOf(Fallbacks.class)).contains(MemberCategory.INVOKE_DECLARED_METHODS);
    }

    @Test
    void theMembersOfAnArgumentCanBeRead() throws NoSuchMethodException {
        assertThat(hints.reflection().getTypeHint(Change.class).methods())
                .anyMatch(method -> method.getName().equals("orderCode"));
    }

    @Test
    void aBeanWithoutLocksNeedsNothing() {
        assertThat(hints.reflection().getTypeHint(Detail.class)).isNull();
    }

    @Test
    void propertiesCanBeBoundEvenIfNoneWasSetBefore() {
        RuntimeHints withoutProperties = hintsOf(Map.of());
        assertThat(Stream.of(LockProperties.class, LockProperties.Defaults.class, LockProperties.Redis.class)
                        .map(type -> type.getDeclaredConstructors()[0]))
                .allSatisfy(constructor -> assertThat(
                                RuntimeHintsPredicates.reflection().onConstructor(constructor))
                        .as(constructor.toString())
                        .accepts(hints, withoutProperties));
    }

    private Set<MemberCategory> categoriesOf(Class<?> type) {
        return hints.reflection().getTypeHint(TypeReference.of(type)).getMemberCategories();
    }

    record Change(@DistributionLockParam String orderCode) {}

    record Detail(String text) {}

    static class Fallbacks {
        String later(Change change) {
            return "later";
        }
    }

    static class OrderService extends Fallbacks {
        @DistributionLock(key = "change", fallbackMethod = "later")
        public String change(Change change) {
            return "changed";
        }
    }

    static class Unlocked {
        public String describe(Detail detail) {
            return detail.text();
        }
    }
}
