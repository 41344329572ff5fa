package io.distributionlock.validation;

import static com.tngtech.archunit.library.ProxyRules.no_classes_should_directly_call_other_methods_declared_in_the_same_class_that_are_annotated_with;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.EvaluationResult;
import io.distributionlock.annotation.DistributionLock;
import org.junit.jupiter.api.Test;

/** The rule of docs/attributes.md finds calls that bypass the proxy. */
class SelfInvocationTest {

    private final ArchRule rule =
            no_classes_should_directly_call_other_methods_declared_in_the_same_class_that_are_annotated_with(
                    DistributionLock.class);

    private EvaluationResult check(Class<?> type) {
        return rule.evaluate(new ClassFileImporter().importClasses(type));
    }

    @Test
    void aCallOnTheOwnObjectIsFound() {
        assertThat(check(CallsItself.class).getFailureReport().getDetails())
                .hasSize(2)
                .allMatch(text -> text.contains("CallsItself.update(java.lang.String)"))
                .anyMatch(text -> text.contains("CallsItself.plain()"))
                .anyMatch(text -> text.contains("CallsItself.inLambda()"));
    }

    @Test
    void aCallOfAnotherClassIsFine() {
        assertThat(check(CallsAnother.class).hasViolation()).isFalse();
    }

    static class CallsItself {

        @DistributionLock(key = "order")
        public void update(String code) {}

        public void plain() {
            update("A1001");
        }

        public Runnable inLambda() {
            return () -> update("A1001");
        }
    }

    record CallsAnother(CallsItself orders) {

        public void call() {
            orders.update("A1001");
        }
    }
}
