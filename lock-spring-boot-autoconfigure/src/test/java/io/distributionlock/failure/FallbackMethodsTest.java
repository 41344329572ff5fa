package io.distributionlock.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributionlock.LockBackendException;
import io.distributionlock.LockNotAcquiredException;
import io.distributionlock.LockOutcome;
import io.distributionlock.annotation.LockProblem;
import java.io.IOException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.core.ResolvableType;

@Tag("boot4")
class FallbackMethodsTest {

    private static final LockNotAcquiredException BUSY =
            LockNotAcquiredException.of("order", new LockOutcome.Busy(Duration.ZERO));
    private static final LockNotAcquiredException FAILED = LockNotAcquiredException.of(
            "order", new LockOutcome.BackendFailed(Duration.ZERO, new IOException("connection reset")));

    private final List<LockProblem> problems = new ArrayList<>();

    private FallbackMethods fallbacks(String name) {
        return FallbackMethods.of(name, method("work"), Orders.class, "The lock", problems);
    }

    private static Method method(String name) {
        return Stream.of(Orders.class.getDeclaredMethods())
                .filter(method -> method.getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void withoutANameThereIsNone() {
        assertThat(fallbacks("").nearest(BUSY, 1)).isNull();
        assertThat(problems).isEmpty();
    }

    @Test
    void theNearestExceptionTypeAnswers() {
        FallbackMethods fallbacks = fallbacks("answer");
        assertThat(fallbacks.nearest(BUSY, 1))
                .extracting(Method::getParameterCount)
                .isEqualTo(1);
        assertThat(fallbacks.nearest(FAILED, 1))
                .extracting(method -> method.getParameterTypes()[1])
                .isEqualTo(LockBackendException.class);
    }

    @Test
    void aFallbackForAnotherFailureDoesNotAnswer() {
        assertThat(fallbacks("onlyForBackend").nearest(BUSY, 1)).isNull();
        assertThat(fallbacks("onlyForBackend").nearest(FAILED, 1)).isNotNull();
    }

    @Test
    void itReceivesTheArgumentsAndTheException() throws Throwable {
        Method fallback = fallbacks("onlyForBackend").nearest(FAILED, 1);
        @Nullable Object[] arguments = {"A1"};
        assertThat(FallbackMethods.call(fallback, new Call(new Orders(), arguments), FAILED))
                .isEqualTo("A1 BACKEND_FAILED");
        assertThat(arguments).containsExactly("A1");
    }

    @Test
    void whatItThrowsIsNotWrapped() {
        Method fallback = fallbacks("failing").nearest(BUSY, 1);
        assertThatThrownBy(() -> FallbackMethods.call(fallback, new Call(new Orders(), new Object[] {"A1"}), BUSY))
                .isExactlyInstanceOf(IOException.class)
                .hasMessage("A1");
    }

    @Test
    void aMissingOneIsAProblem() {
        fallbacks("nowhere");
        assertThat(problems)
                .singleElement()
                .extracting(LockProblem::description)
                .isEqualTo("The lock has fallbackMethod = \"nowhere\", but there is no such method.");
    }

    @Test
    void oneThatDoesNotFitIsAProblem() {
        for (String name : List.of("otherArgument", "otherResult", "otherException")) {
            problems.clear();
            fallbacks(name);
            assertThat(problems)
                    .as(name)
                    .singleElement()
                    .extracting(LockProblem::description)
                    .asString()
                    .contains(name + "(")
                    .endsWith("does not fit.");
        }
    }

    @Test
    void theLockedMethodItselfIsNoFallback() {
        fallbacks("work");
        assertThat(problems).hasSize(1);
    }

    private record Call(Object target, @Nullable Object[] arguments) implements RefusedCall {

        @Override
        public Method javaMethod() {
            return method("work");
        }

        @Override
        public ResolvableType returnType() {
            return ResolvableType.forMethodReturnType(javaMethod());
        }

        @Override
        public @Nullable Object continuation() {
            return null;
        }

        @Override
        public String describe() {
            return "work";
        }
    }

    @SuppressWarnings("unused")
    static class Orders {

        String work(String id) {
            return id;
        }

        String answer(String id) {
            return id;
        }

        String answer(String id, LockBackendException failure) {
            return id + failure.reason();
        }

        private String onlyForBackend(String id, LockBackendException failure) {
            return id + " " + failure.reason();
        }

        String failing(String id) throws IOException {
            throw new IOException(id);
        }

        String otherArgument(int id) {
            return "";
        }

        int otherResult(String id) {
            return 0;
        }

        String otherException(String id, IOException failure) {
            return id;
        }
    }
}
