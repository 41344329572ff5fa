package io.distributionlock.validation;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.InvalidLockDefinitionException;
import io.distributionlock.annotation.LockProblem;
import io.distributionlock.testing.LockContextRunner;
import io.distributionlock.testing.ScriptedLockExecutor;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/**
 * Calls that bypass the proxy are found in the bytecode, and nothing else is taken for one. A method that also deals with another
 * object of its class is not judged: its calls may be on an injected proxy.
 */
@Tag("boot4")
class SelfInvocationTest {

    private ApplicationContextRunner runner(Class<?> bean) {
        return LockContextRunner.with(new ScriptedLockExecutor(), bean);
    }

    @Test
    void whenTheSwitchIsOffThenNothingIsFound() {
        runner(CallsItself.class).run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void whenAnObjectCallsItsOwnLockedMethodThenCallerAndLineAreNamed() {
        runner(CallsItself.class)
                .withPropertyValues("distribution-lock.find-self-invocations=true")
                .run(context -> {
                    assertThat(context).hasFailed();
                    List<LockProblem> problems =
                            ((InvalidLockDefinitionException) context.getStartupFailure()).problems();
                    assertThat(problems)
                            .extracting(LockProblem::description)
                            .allMatch(text -> text.contains("CallsItself.work(String, long)"))
                            .allMatch(text -> text.matches("(?s).*\\(line [1-9]\\d*\\).*"));
                    assertThat(problems)
                            .extracting(problem ->
                                    problem.description().replaceAll("(?s)^.*CallsItself\\.(\\w+) \\(line.*$", "$1"))
                            .containsExactlyInAnyOrder(
                                    "plain",
                                    "withBranches",
                                    "inLambda",
                                    "byReference",
                                    "afterCatch",
                                    "inSwitch",
                                    "withAnotherObject");
                });
    }

    @Test
    void whenTheCallIsOnAnotherObjectOfTheClassThenItIsFine() {
        runner(CallsOthers.class)
                .withPropertyValues("distribution-lock.find-self-invocations=true")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void whenAMethodAlsoDealsWithAnotherObjectOfItsClassThenItIsNotJudged() {
        runner(CallsItselfAndOthers.class)
                .withPropertyValues("distribution-lock.find-self-invocations=true")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void whenASuperclassOrASubclassCallsTheLockedMethodThenItIsFound() {
        runner(CallsUp.class)
                .withPropertyValues("distribution-lock.find-self-invocations=true")
                .run(context -> assertThat(((InvalidLockDefinitionException) context.getStartupFailure()).problems())
                        .extracting(LockProblem::description)
                        .satisfiesExactlyInAnyOrder(
                                inSubclass -> assertThat(inSubclass).contains("CallsUp.up (line"),
                                inSuperclass -> assertThat(inSuperclass).contains("Base.inBase (line")));
    }

    static class Base {

        @DistributionLock(key = "work")
        public String work() {
            return "work";
        }

        void inBase() {
            work();
        }
    }

    @SuppressWarnings("unused")
    static class CallsUp extends Base {

        @Override
        public String work() {
            return super.work();
        }

        void up() {
            super.work();
        }
    }

    @SuppressWarnings("unused")
    static class CallsItself {

        private final Helper helper = new Helper();

        @DistributionLock(key = "work")
        public String work(String text, long number) {
            return text + number;
        }

        void plain() {
            work("a", 1L);
        }

        void withBranches(boolean yes, double x) {
            String result = work(yes ? "a" : String.valueOf(x * 2 + 1), yes ? (long) x : 2L << 3);
        }

        Supplier<String> inLambda() {
            return () -> work("a", 1L);
        }

        java.util.function.BiFunction<String, Long, String> byReference() {
            return this::work;
        }

        void afterCatch(long[] numbers) {
            try {
                numbers[0]++;
            } catch (IllegalStateException e) {
                work(e.toString(), numbers[0]);
            }
        }

        String inSwitch(int number) {
            return switch (number) {
                case 1 -> "one";
                case 2 -> work("two", 2L);
                default -> throw new IllegalArgumentException();
            };
        }

        void withAnotherObject(Helper other) {
            work(other.text() + helper.text(), 1L);
        }

        String helper(Object other) {
            return "not locked";
        }

        void harmless() {
            helper(this);
        }
    }

    record Helper(String text) {

        Helper() {
            this("text");
        }
    }

    @SuppressWarnings("unused")
    static class CallsItselfAndOthers {

        @DistributionLock(key = "work")
        public String work(String text) {
            return text;
        }

        String both(CallsItselfAndOthers other) {
            return work("mine") + other.work("its");
        }

        String ofSubclass(Narrower narrower) {
            CallsItselfAndOthers other = narrower;
            return other.work("its");
        }

        static class Narrower extends CallsItselfAndOthers {}
    }

    static class CallsOthers {

        private final ObjectProvider<CallsOthers> self;
        private final CallsOthers[] others = {};

        CallsOthers(ObjectProvider<CallsOthers> self) {
            this.self = self;
        }

        @DistributionLock(key = "work")
        public String work(Object text) {
            return String.valueOf(text);
        }

        String throughTheProxy() {
            return self.getObject().work(this);
        }

        String ofAnother(CallsOthers other) {
            return other.work(this) + others[0].work(self);
        }

        Supplier<String> inLambda(CallsOthers other) {
            return () -> other.work(this);
        }
    }
}
