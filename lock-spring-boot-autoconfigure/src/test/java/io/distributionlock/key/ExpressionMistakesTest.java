package io.distributionlock.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.InvalidLockDefinitionException;
import io.distributionlock.annotation.LockProblem;
import io.distributionlock.annotation.RefuseRepeats;
import io.distributionlock.annotation.ScheduledLock;
import io.distributionlock.testing.LockContextRunner;
import io.distributionlock.testing.ScriptedLockExecutor;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.core.annotation.AliasFor;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;

/**
 * What is found at the start: a # outside of its braces, which would be one lock for all calls, and names that no parameter has. Other
 * mistakes fail the call, which does not run.
 */
@Tag("boot4")
class ExpressionMistakesTest {

    private static List<LockProblem> check(String key) {
        Method method = Service.class.getDeclaredMethods()[0];
        var merged = MergedAnnotations.from(method).get(DistributionLock.class);
        DistributionLock annotation = MergedAnnotation.of(DistributionLock.class, Map.of("key", key, "value", key))
                .synthesize();
        LockDeclaration declaration =
                new LockDeclaration(method, Service.class, List.of(method), annotation, AttributeNames.of(merged));
        return LockKeyResolver.standard(new DefaultListableBeanFactory()).check(declaration);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "#order.id",
                "'order:' + #order.id",
                "{#text}",
                "order:#text",
                "order:#ordr.id",
                "#{#text}#ordr",
                "order:#{#text}:#text",
                "order#1",
                "OrderService#update"
            })
    void aSignOutsideOfItsBracesIsRefused(String key) {
        assertThat(check(key)).singleElement().satisfies(problem -> {
            assertThat(problem.description())
                    .startsWith(
                            "@DistributionLock on " + Service.class.getName() + ".work(Order, String): the key '" + key)
                    .contains("outside of #{…}");
            assertThat(problem.action()).contains("'key'", "order:#{#id}", "#{'#'}");
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "order",
                "'order'",
                "nightly-report",
                "order.status",
                "@daily",
                "it's",
                "{a b}",
                "order:{text}",
                "order:$text",
                "100%sure",
                "order:#{#text}",
                "#{'order:' + #text}",
                "#{'order:{text}'}",
                "order#{'#'}1",
                "order:#{'#text'}:#{'{id}'}",
                "#{#order.id + #p0.id + #a1 + #root.methodName + {1}.![#this]}",
            })
    void anyOtherTextIsOne(String key) {
        assertThat(check(key)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"order:#{#ordr.id}", "#{#text + {1}.![#ordr]}", "#{#ordr(#text)}", "#{@beans.of(#ordr)}"})
    void whatNoParameterIsCalledIsNamedBesideThoseThatThereAre(String key) {
        assertThat(check(key)).singleElement().satisfies(problem -> {
            assertThat(problem.description()).contains("the key '" + key, "names #ordr, which is not a parameter");
            assertThat(problem.action()).contains("order", "text", "'key'");
        });
    }

    @Test
    void otherMistakesFailTheCallWhichDoesNotRun() {
        LockContextRunner.with(new ScriptedLockExecutor(), Misspelled.class).run(context -> {
            Misspelled bean = context.getBean(Misspelled.class);
            Order order = new Order("A1001");
            assertFails(() -> bean.property(order), "property", "#order.idd", "'key'", "'idd'");
            assertFails(() -> bean.withoutSign(order), "withoutSign", "order.id", "'key'", "'order'");
            assertFails(() -> bean.noBean(order), "noBean", "@nobody.of(#order)", "'key'", "nobody");
            assertFails(() -> bean.inACondition(order), "inACondition", "#p0.idd != null", "'condition'", "'idd'");
        });
    }

    private static void assertFails(ThrowingCallable call, String... told) {
        assertThatThrownBy(call)
                .isInstanceOf(LockKeyException.class)
                .hasMessageContainingAll(told)
                .hasMessageContaining("Correct the expression");
    }

    @Test
    void itIsFoundInEveryAnnotation() {
        LockContextRunner.with(new ScriptedLockExecutor(), Annotated.class)
                .withPropertyValues("order.key='order:' + #order.id")
                .run(context -> assertThat(context)
                        .hasFailed()
                        .getFailure()
                        .isInstanceOfSatisfying(
                                InvalidLockDefinitionException.class,
                                failure -> assertThat(failure.problems())
                                        .hasSize(6)
                                        .allSatisfy(problem -> assertThat(problem.description())
                                                .contains("outside of #{…}", Annotated.class.getName()))
                                        .extracting(problem -> problem.description()
                                                .replaceAll(" on .*: the ", " ")
                                                .replaceAll("' has .*", "'"))
                                        .containsExactlyInAnyOrder(
                                                "@DistributionLock key '#order.id'",
                                                "@DistributionLock key 'item:#order'",
                                                "@DistributionLock key ''order:' + #order.id'",
                                                "@RefuseRepeats key 'createOrder:#order.id'",
                                                "@ScheduledLock name 'report:#tenant'",
                                                "@OrderLock order '#p0'")));
    }

    record Order(String id) {}

    static class Misspelled {

        @DistributionLock(key = "order:#{#order.idd}")
        public void property(Order order) {
            throw new AssertionError();
        }

        @DistributionLock(key = "order:#{order.id}")
        public void withoutSign(Order order) {
            throw new AssertionError();
        }

        @DistributionLock(key = "order:#{@nobody.of(#order)}")
        public void noBean(Order order) {
            throw new AssertionError();
        }

        @DistributionLock(key = "order", condition = "#p0.idd != null")
        public void inACondition(Order order) {
            throw new AssertionError();
        }
    }

    static class Service {

        @DistributionLock(key = "k")
        public void work(Order order, String text) {}
    }

    @Retention(RetentionPolicy.RUNTIME)
    @DistributionLock
    @interface OrderLock {

        @AliasFor(annotation = DistributionLock.class, attribute = "key")
        String order();
    }

    static class Annotated {

        @DistributionLock(key = "#order.id")
        @DistributionLock(key = "item:#order")
        public void repeated(Order order) {}

        @DistributionLock(key = "${order.key}")
        public void byProperty(Order order) {}

        @RefuseRepeats(key = "createOrder:#order.id", within = "5s")
        public void once(Order order) {}

        @ScheduledLock(name = "report:#tenant")
        public void job() {}

        @OrderLock(order = "#p0")
        public void composed(String id) {}
    }
}
