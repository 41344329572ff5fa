package io.distributionlock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.LockNotAcquiredException;
import io.distributionlock.LockOutcome;
import io.distributionlock.OnLost;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.DistributionLockParam;
import io.distributionlock.annotation.RefuseRepeats;
import io.distributionlock.failure.LockFailureMapper;
import io.distributionlock.testing.RunningApplication;
import io.distributionlock.testing.ScriptedLockExecutor;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/** What a client of a web application sees when a lock was not acquired, through a real server. */
@Tag("boot4")
class LockProblemDetailTest {

    private static final LockOutcome BUSY = new LockOutcome.Busy(Duration.ofMillis(1200));
    private static final LockOutcome DOWN =
            new LockOutcome.BackendFailed(Duration.ofMillis(3), new IllegalStateException("redis at 10.0.0.7 is down"));
    private static final LockOutcome INTERRUPTED = new LockOutcome.Interrupted(Duration.ofMillis(3));

    private final ScriptedLockExecutor executor = new ScriptedLockExecutor();

    private RunningApplication start(Class<?>... configurations) {
        return start(List.of(configurations));
    }

    private RunningApplication start(List<Class<?>> configurations, String... properties) {
        List<Class<?>> all = new ArrayList<>(List.of(Application.class));
        all.addAll(configurations);
        return RunningApplication.start(
                all, context -> context.registerBean(ScriptedLockExecutor.class, () -> executor), properties);
    }

    private HttpResponse<String> get(RunningApplication application, String path, LockOutcome outcome)
            throws Exception {
        executor.answerNext(outcome);
        return application.get(path);
    }

    private static String contentType(HttpResponse<String> response) {
        return response.headers().firstValue("Content-Type").orElse("");
    }

    @Test
    void aBusyLockIs409WithRetryAfter() throws Exception {
        try (RunningApplication application = start()) {
            HttpResponse<String> response = get(application, "/order/A1", BUSY);
            assertThat(response.statusCode()).isEqualTo(409);
            assertThat(response.headers().firstValue("Retry-After")).contains("2");
            assertThat(contentType(response)).startsWith("application/problem+json");
            assertThat(response.body())
                    .contains("\"status\":409", "\"title\":\"Busy\"", "Try again later")
                    .doesNotContain("order:A1");
        }
    }

    @Test
    void theMessageOfTheApplicationIsTheDetail() throws Exception {
        try (RunningApplication application = start()) {
            for (LockOutcome outcome : List.of(BUSY, DOWN, INTERRUPTED)) {
                assertThat(get(application, "/told/A1", outcome).body())
                        .contains("\"detail\":\"Somebody else edits this.\"");
            }
        }
    }

    /** The same call again would only be refused again. */
    @Test
    void aRepeatIs409WithoutRetryAfter() throws Exception {
        try (RunningApplication application = start()) {
            HttpResponse<String> response = get(application, "/form/A1", BUSY);
            assertThat(response.statusCode()).isEqualTo(409);
            assertThat(response.headers().firstValue("Retry-After")).isEmpty();
            assertThat(response.body())
                    .contains("\"status\":409", "\"title\":\"Repeated\"", "a short time ago")
                    .doesNotContain("form:A1");
        }
    }

    /** An update from a lock to permits meets this: not busy, but no mistake of the caller either. */
    @Test
    void aNameThatOthersUseOtherwiseIs503() throws Exception {
        try (RunningApplication application = start()) {
            LockOutcome incompatible = new LockOutcome.Incompatible(Duration.ZERO, "is held by somebody as a lock");
            HttpResponse<String> response = get(application, "/order/A1", incompatible);
            assertThat(response.statusCode()).isEqualTo(503);
            assertThat(response.headers().firstValue("Retry-After")).contains("1");
            assertThat(response.body())
                    .contains("\"title\":\"Lock unavailable\"")
                    .doesNotContain("order:A1", "somebody");
        }
    }

    @Test
    void aFailedBackendIs503AndRevealsNothingAboutIt() throws Exception {
        try (RunningApplication application = start()) {
            HttpResponse<String> response = get(application, "/order/A1", DOWN);
            assertThat(response.statusCode()).isEqualTo(503);
            assertThat(response.headers().firstValue("Retry-After")).contains("1");
            assertThat(contentType(response)).startsWith("application/problem+json");
            assertThat(response.body()).contains("\"status\":503").doesNotContain("10.0.0.7", "redis");
            assertThat(get(application, "/order/A1", INTERRUPTED).statusCode()).isEqualTo(503);
        }
    }

    /** The work has run: no status that lets clients repeat it, and no mapper that says "try again". */
    @Test
    void aLostLockIs500WithAProblemDetailAndAsksNoMapper() throws Exception {
        try (RunningApplication application = start(MapperConfiguration.class)) {
            HttpResponse<String> response = application.get("/lost/A1");
            assertThat(response.statusCode()).isEqualTo(500);
            assertThat(response.headers().firstValue("Retry-After")).isEmpty();
            assertThat(contentType(response)).startsWith("application/problem+json");
            assertThat(response.body())
                    .contains("\"status\":500", "\"title\":\"Lock lost\"", "check before you repeat");
        }
    }

    @Test
    void aMapperComesFirst() throws Exception {
        try (RunningApplication application = start(MapperConfiguration.class)) {
            HttpResponse<String> response = get(application, "/order/A1", BUSY);
            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(response.body()).isEqualTo("{\"text\":\"mapped BUSY\"}");
            assertThat(get(application, "/plain/A1", BUSY).statusCode()).isEqualTo(409);
        }
    }

    @Tag("long")
    @Test
    void adviceOfTheApplicationForOtherThingsLeavesItToUs() throws Exception {
        try (RunningApplication application = start(OtherAdvice.class)) {
            assertThat(get(application, "/order/A1", BUSY).statusCode()).isEqualTo(409);
        }
    }

    @Tag("long")
    @Test
    void adviceOfTheApplicationForLocksComesFirst() throws Exception {
        try (RunningApplication application = start(LockAdvice.class)) {
            HttpResponse<String> response = get(application, "/order/A1", BUSY);
            assertThat(response.statusCode()).isEqualTo(423);
            assertThat(response.body()).isEqualTo("locked order:A1");
        }
    }

    @Tag("long")
    @Test
    void adviceOfTheApplicationForEverythingComesFirst() throws Exception {
        try (RunningApplication application = start(CatchAllAdvice.class)) {
            assertThat(get(application, "/order/A1", BUSY).statusCode()).isEqualTo(418);
        }
    }

    @Tag("long")
    @Test
    void itMayBeSwitchedOff() throws Exception {
        try (RunningApplication application = start(List.of(), "distribution-lock.web.problem-details=false")) {
            assertThat(get(application, "/order/A1", BUSY).statusCode()).isEqualTo(500);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(Controller.class)
    static class Application {}

    record Answer(String text) {}

    @RestController
    static class Controller {

        private final ScriptedLockExecutor executor;

        Controller(ScriptedLockExecutor executor) {
            this.executor = executor;
        }

        @DistributionLock(key = "lost", onLost = OnLost.THROW)
        @GetMapping("/lost/{code}")
        public Answer lost(@PathVariable("code") @DistributionLockParam String code) {
            executor.leases().get(0).lose();
            return new Answer("ran " + code);
        }

        @RefuseRepeats(key = "form", within = "5s")
        @GetMapping("/form/{token}")
        public Answer form(@PathVariable("token") @DistributionLockParam String token) {
            return new Answer("ran " + token);
        }

        @DistributionLock(key = "order", tryLockTime = 1200)
        @GetMapping("/order/{code}")
        public Answer order(@PathVariable("code") @DistributionLockParam String code) {
            return new Answer("ran " + code);
        }

        @DistributionLock(key = "told", message = "Somebody else edits this.")
        @GetMapping("/told/{code}")
        public String told(@PathVariable("code") @DistributionLockParam String code) {
            return "ran " + code;
        }

        @DistributionLock(key = "plain", tryLockTime = 1200)
        @GetMapping("/plain/{code}")
        public String plain(@PathVariable("code") @DistributionLockParam String code) {
            return "ran " + code;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class MapperConfiguration {

        @Bean
        LockFailureMapper<Answer> mapper() {
            return failure -> new Answer("mapped " + failure.reason());
        }
    }

    @RestControllerAdvice
    static class OtherAdvice {

        @ExceptionHandler
        ResponseEntity<String> on(IllegalArgumentException exception) {
            return ResponseEntity.status(400).body("other");
        }
    }

    @RestControllerAdvice
    static class LockAdvice {

        @ExceptionHandler
        ResponseEntity<String> on(LockNotAcquiredException exception) {
            return ResponseEntity.status(423).body("locked " + exception.lockName());
        }
    }

    @RestControllerAdvice
    static class CatchAllAdvice {

        @ExceptionHandler
        ResponseEntity<String> on(Exception exception) {
            return ResponseEntity.status(418).body("everything");
        }
    }
}
