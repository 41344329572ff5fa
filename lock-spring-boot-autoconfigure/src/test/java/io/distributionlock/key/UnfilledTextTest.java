package io.distributionlock.key;

import static org.assertj.core.api.Assertions.assertThat;

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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.core.annotation.AliasFor;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;

/** A key that looks as if a value should stand in it has one, or is refused: as a text it would be one lock for all calls. */
@Tag("boot4")
class UnfilledTextTest {

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
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "#order.id | work:#{#order.id}",
                "#order?.id | work:#{#order?.id}",
                "#order.getId() | work:#{#order.getId()}",
                "#ordr.id | work:#{#ordr.id}",
                "#p0 | work:#{#p0}",
                "#a1 | work:#{#a1}",
                "#root.methodName | work:#{#root.methodName}",
                "#root.args[0] | work:#{#root.args[0]}",
                "'order:' + #order.id | order:#{#order.id}",
                "'order:' + #order.id + ':' + #text | order:#{#order.id}:#{#text}",
                "#text + '-' + #order.id | work:#{#text}-#{#order.id}",
                "'order' | order",
                "'order:'.concat(#text) | work:#{'order:'.concat(#text)}",
                "T(java.util.Objects).hash(#text) | work:#{T(java.util.Objects).hash(#text)}",
                "{#text} | #{#text}",
                "order:#text | order:#{#text}",
                "order:#order.id.length() | order:#{#order.id.length()}",
                "order#p0 | order#{#p0}",
                "order:#ordr.id | order:#{#ordr.id}",
                "order:#ordr | order:#{#ordr}",
                "order#ordr.id | order#{#ordr.id}",
                "order #args[0] | order #{#args[0]}",
                "#{#text}#ordr | #{#text}#{#ordr}",
                "order_#order.id_x | order_#{#order.id_x}",
                "order:{text} | order:#{#text}",
                "order/{order.id}/items | order/#{#order.id}/items",
                "order:{ orderId } | order:#{#orderId}",
                "order:{0}:{1} | order:#{#p0}:{1}",
                "order:{} | order:#{#p0}",
                "order:$text | order:#{#text}",
                "$text-order | #{#text}-order",
                "order:%s | order:#{#p0}",
                "order:%d:items | order:#{#p0}:items",
                "order:#{#text}:{text} | order:#{#text}:#{#text}",
                "order:#{#text}:#text | order:#{#text}:#{#text}",
            })
    void whatLooksUnfilledIsRefusedAndTheCureNamesTheForm(String key, String form) {
        assertThat(check(key)).isNotEmpty().first().satisfies(problem -> {
            assertThat(problem.description())
                    .startsWith(
                            "@DistributionLock on " + Service.class.getName() + ".work(Order, String): the key '" + key)
                    .contains("outside of #{…}");
            assertThat(problem.cure()).contains("'key'", "write " + form + " instead");
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "order",
                "order#1",
                "room #12",
                "room #east wing",
                "C# / F#",
                "a#b",
                "OrderService#update",
                "nightly-report",
                "order.status",
                "order/all",
                "@daily",
                "it's",
                "a + b",
                "{a b}",
                "order:#{#text}",
                "#{'order:' + #text}",
                "#{'order:{text}'}",
                "order:#{'#text'}:#{'{id}'}",
                "order:$nobody",
                "US$",
                "100%sure",
                "a%3Ab",
            })
    void anyOtherTextIsOne(String key) {
        assertThat(check(key)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"order:#{#ordr.id}", "order:#ordr.id", "#ordr.id", "'order:' + #ordr.id", "order:{ordr.id}"})
    void whatNoParameterIsCalledIsNamedBesideThoseThatThereAre(String key) {
        assertThat(check(key)).last().satisfies(problem -> {
            assertThat(problem.description()).contains("names #ordr, which is not a parameter");
            assertThat(problem.cure()).contains("order", "text");
        });
    }

    @Test
    void withoutParametersAnyNameIsText() {
        LockContextRunner.with(new ScriptedLockExecutor(), Tagged.class)
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void theCureForATextThatIsMeantWorks() {
        for (String key : List.of("order:{text}", "#text", "'order'", "order:$text", "order:%s")) {
            String cure = check(key).get(0).cure();
            String meant = cure.substring(cure.lastIndexOf("#{'"), cure.length() - 1);
            assertThat(check(meant)).as(meant).isEmpty();
        }
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
                                        .filteredOn(problem ->
                                                !problem.description().contains("not a parameter"))
                                        .hasSize(6)
                                        .allSatisfy(problem -> assertThat(problem.description())
                                                .contains("outside of #{…}", Annotated.class.getName()))
                                        .extracting(problem -> problem.description()
                                                .replaceAll(" on .*: the ", " ")
                                                .replaceAll("' has .*", "'"))
                                        .containsExactlyInAnyOrder(
                                                "@DistributionLock key '#order.id'",
                                                "@DistributionLock key 'item:{id}'",
                                                "@DistributionLock key ''order:' + #order.id'",
                                                "@RefuseRepeats key 'createOrder:#order.id'",
                                                "@ScheduledLock name 'report:{tenant}'",
                                                "@OrderLock order '#p0'")));
    }

    record Order(String id) {}

    static class Tagged {

        @DistributionLock(key = "tag:#nightly:%s")
        public void work() {}
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
        @DistributionLock(key = "item:{id}")
        public void repeated(Order order) {}

        @DistributionLock(key = "${order.key}")
        public void byProperty(Order order) {}

        @RefuseRepeats(key = "createOrder:#order.id", within = "5s")
        public void once(Order order) {}

        @ScheduledLock(name = "report:{tenant}")
        public void job() {}

        @OrderLock(order = "#p0")
        public void composed(String id) {}
    }
}
