package io.distributionlock.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.LockProblem;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.expression.ParseException;

@Tag("boot4")
class KeyTemplateTest {

    private static final Method METHOD = Stream.of(Orders.class.getDeclaredMethods())
            .filter(method -> method.getName().equals("work"))
            .findFirst()
            .orElseThrow();

    private static final String PLACE = "@DistributionLock on " + Orders.class.getName() + ".work(String, int)";

    private final DefaultListableBeanFactory beans = new DefaultListableBeanFactory();

    private KeyTemplate template(String text) {
        return KeyTemplate.of(text, declaration(), beans);
    }

    private static LockDeclaration declaration() {
        var merged = MergedAnnotations.from(METHOD).get(DistributionLock.class);
        return new LockDeclaration(
                METHOD, Orders.class, List.of(METHOD), merged.synthesize(), AttributeNames.of(merged));
    }

    private String text(String template, @Nullable Object... arguments) {
        return template(template).text(new LockInvocation(declaration(), new Orders("eu"), Arrays.asList(arguments)));
    }

    @Test
    void aPlainTextIsTakenLiterally() {
        assertThat(text("order:all", "A1", 7)).isEqualTo("order:all");
        assertThat(text("#{'order:all'}", "A1", 7)).isEqualTo("order:all");
    }

    @Test
    void expressionsSeeParametersTargetAndBeans() {
        beans.registerSingleton("tenant", "acme");
        assertThat(text("#{#id}-#{#p1}-#{#root.args[0]}", "A1", 7)).isEqualTo("A1-7-A1");
        assertThat(text("#{#root.target.region}-#{#root.method.name}-#{#root.targetClass}", "A1", 7))
                .isEqualTo("eu-work-" + Orders.class.getName());
        assertThat(text("#{#root.target['region']}-#{args[1]}", "A1", 7)).isEqualTo("eu-7");
        assertThat(text("#{@tenant}-#{#id}", "A1", 7)).isEqualTo("acme-A1");
    }

    @Test
    void theDelimiterIsEscapedInValuesBesideText() {
        assertThat(text("order-#{#id}", "a:b", 7)).isEqualTo("order-a%3Ab");
        assertThat(text("#{#id}", "a:b", 7)).isEqualTo("a:b");
    }

    @Test
    void nullAndUnusableValuesAreRefused() {
        assertThatThrownBy(() -> text("order-#{#id}", null, 7))
                .isInstanceOf(LockKeyException.class)
                .hasMessageContaining("Orders.work(String, int)")
                .hasMessageContaining("the expression '#id' of 'key' is null");
        assertThatThrownBy(() -> text("order-#{#root.args}", "A1", 7))
                .isInstanceOf(LockKeyException.class)
                .hasMessageContaining("the expression '#root.args' of 'key' is a Object[]");
        assertThatThrownBy(() -> text("order-#{#id.missing}", "A1", 7))
                .isInstanceOf(LockKeyException.class)
                .hasMessageContaining("the expression '#id.missing' of 'key' failed: ");
    }

    @Test
    void unknownNamesAreProblems() {
        assertThat(template("#{#order}-#{@tenant}-#{#id}").check())
                .extracting(LockProblem::description)
                .containsExactly(
                        PLACE + ": the key '#{#order}-#{@tenant}-#{#id}' names #order, which is not a parameter"
                                + " of the method.",
                        PLACE
                                + ": the key '#{#order}-#{@tenant}-#{#id}' names the bean 'tenant', which does not"
                                + " exist.");
        assertThat(template("order").check()).isEmpty();
    }

    @Test
    void whatDoesNotParseIsRefused() {
        assertThatThrownBy(() -> template("#{#id")).isInstanceOf(ParseException.class);
    }

    record Orders(String region) {

        @DistributionLock(key = "order")
        public void work(String id, int count) {}
    }
}
