package io.distributionlock.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.distributionlock.LockBackendException;
import io.distributionlock.LockDefaults;
import io.distributionlock.LockKind;
import io.distributionlock.LockTemplate;
import io.distributionlock.backend.CommandPort;
import io.distributionlock.backend.EngineSettings;
import io.distributionlock.messages.MessageRules;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.EnumSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The reported time is the elapsed time, on the engine's own clock and thread. */
class NoAnswerTest {

    @ParameterizedTest
    @CsvSource({"0, 400", "50, 8000", "300, 8000", "1000, 400"})
    @DisplayName("M: a wait that ended before the first answer is not told as the command timeout")
    void durations(long tryMillis, long timeoutMillis) {
        EngineSettings standard = EngineSettings.standard("silent");
        EngineSettings settings = new EngineSettings(
                "silent",
                Duration.ofMillis(timeoutMillis),
                standard.grantLease(),
                standard.heartbeat(),
                standard.handoverMaxCount(),
                standard.handoverMaxTime());
        LockEngine engine = LockEngine.start(silentPort(), settings);
        try {
            LockTemplate template = new LockTemplate(engine, LockDefaults.STANDARD);
            long start = System.nanoTime();
            Throwable thrown = catchThrowable(() -> template.acquire(template.request("stock")
                    .tryLockTime(Duration.ofMillis(tryMillis))
                    .build()));
            Duration elapsed = Duration.ofNanos(System.nanoTime() - start);

            assertThat(thrown).isInstanceOf(LockBackendException.class);
            assertThat(MessageRules.faults(thrown.getMessage(), elapsed))
                    .as(thrown.getMessage())
                    .isEmpty();
            assertThat(MessageRules.faults(thrown.getMessage(), "stock")).isEmpty();
            for (Throwable cause = thrown.getCause(); cause != null; cause = cause.getCause()) {
                assertThat(MessageRules.faults(cause.getMessage(), elapsed))
                        .as(cause.getMessage())
                        .isEmpty();
            }
        } finally {
            engine.stop(Duration.ZERO);
        }
    }

    private static CommandPort silentPort() {
        return (CommandPort) Proxy.newProxyInstance(
                NoAnswerTest.class.getClassLoader(), new Class<?>[] {CommandPort.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("kinds")) {
                        return EnumSet.allOf(LockKind.class);
                    }
                    if (method.isDefault()) {
                        return InvocationHandler.invokeDefault(proxy, method, arguments);
                    }
                    if (Future.class.isAssignableFrom(method.getReturnType())) {
                        return new CompletableFuture<>();
                    }
                    return method.getReturnType() == boolean.class ? false : null;
                });
    }
}
