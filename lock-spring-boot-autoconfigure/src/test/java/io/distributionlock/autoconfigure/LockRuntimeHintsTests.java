package io.distributionlock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.DistributionLockParam;
import java.io.IOException;
import java.lang.annotation.Annotation;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.TypeReference;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.javapoet.ClassName;

/** What an application tells GraalVM about its locks after ahead-of-time processing. */
class LockRuntimeHintsTests {

    private final RuntimeHints hints = hintsOf(OrderService.class, Unlocked.class);

    private static RuntimeHints hintsOf(Class<?>... beans) {
        try (AnnotationConfigApplicationContext application = new AnnotationConfigApplicationContext()) {
            application.registerBean(DistributionLockAutoConfiguration.class);
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
                .hasSizeGreaterThan(4)
                .allSatisfy(script -> {
                    String path = script.getURL().toString();
                    String resource = path.substring(path.lastIndexOf("io/distributionlock/"));
                    assertThat(RuntimeHintsPredicates.resource().forResource(resource))
                            .as(resource)
                            .accepts(hints);
                });
    }

    @Test
    void annotationsCanBeReadMerged() {
        Stream.<Class<? extends Annotation>>of(DistributionLock.class, DistributionLockParam.class)
                .forEach(annotation -> assertThat(
                                RuntimeHintsPredicates.proxies().forInterfaces(annotation))
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
