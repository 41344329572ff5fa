package io.distributionlock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.LockNotAcquiredException;
import io.distributionlock.LockOutcome;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.DistributionLockParam;
import io.distributionlock.aop.LockFailureMapper;
import io.distributionlock.aop.ScriptedLockExecutor;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.autoconfigure.http.HttpMessageConvertersAutoConfiguration;
import org.springframework.boot.autoconfigure.jackson.JacksonAutoConfiguration;
import org.springframework.boot.autoconfigure.web.servlet.DispatcherServletAutoConfiguration;
import org.springframework.boot.autoconfigure.web.servlet.ServletWebServerFactoryAutoConfiguration;
import org.springframework.boot.autoconfigure.web.servlet.WebMvcAutoConfiguration;
import org.springframework.boot.autoconfigure.web.servlet.error.ErrorMvcAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableWebApplicationContext;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.web.servlet.context.AnnotationConfigServletWebServerApplicationContext;
import org.springframework.boot.web.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/** What a client of a web application sees when a lock was not got: through a real server. */
class LockProblemDetailTests {

    private static final LockOutcome BUSY = new LockOutcome.Busy(Duration.ofMillis(1200));
    private static final LockOutcome DOWN =
            new LockOutcome.BackendFailed(Duration.ofMillis(3), new IllegalStateException("redis at 10.0.0.7 is down"));
    private static final LockOutcome INTERRUPTED = new LockOutcome.Interrupted(Duration.ofMillis(3));

    private final ScriptedLockExecutor executor = new ScriptedLockExecutor();

    private WebApplicationContextRunner runner(Class<?>... configurations) {
        return new WebApplicationContextRunner(AnnotationConfigServletWebServerApplicationContext::new)
                .withConfiguration(AutoConfigurations.of(
                        ServletWebServerFactoryAutoConfiguration.class,
                        DispatcherServletAutoConfiguration.class,
                        WebMvcAutoConfiguration.class,
                        HttpMessageConvertersAutoConfiguration.class,
                        JacksonAutoConfiguration.class,
                        ErrorMvcAutoConfiguration.class,
                        AopAutoConfiguration.class,
                        DistributionLockAutoConfiguration.class))
                .withBean(ScriptedLockExecutor.class, () -> executor)
                .withUserConfiguration(Controller.class)
                .withUserConfiguration(configurations)
                .withPropertyValues("server.port=0", "server.address=127.0.0.1");
    }

    private HttpResponse<String> get(AssertableWebApplicationContext context, String path, LockOutcome outcome)
            throws Exception {
        executor.answerNext(outcome);
        int port = context.getSourceApplicationContext(ServletWebServerApplicationContext.class)
                .getWebServer()
                .getPort();
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(Duration.ofSeconds(20))
                .build();
        return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    }

    private static String contentType(HttpResponse<String> response) {
        return response.headers().firstValue("Content-Type").orElse("");
    }

    @Test
    void aBusyLockIs409WithRetryAfter() {
        runner().run(context -> {
            HttpResponse<String> response = get(context, "/order/A1", BUSY);
            assertThat(response.statusCode()).isEqualTo(409);
            assertThat(response.headers().firstValue("Retry-After")).contains("2");
            assertThat(contentType(response)).startsWith("application/problem+json");
            assertThat(response.body()).contains("\"status\":409", "\"title\":\"Busy\"", "order:A1");
        });
    }

    @Test
    void aFailedBackendIs503AndTellsNothingOfIt() {
        runner().run(context -> {
            HttpResponse<String> response = get(context, "/order/A1", DOWN);
            assertThat(response.statusCode()).isEqualTo(503);
            assertThat(response.headers().firstValue("Retry-After")).contains("1");
            assertThat(contentType(response)).startsWith("application/problem+json");
            assertThat(response.body()).contains("\"status\":503").doesNotContain("10.0.0.7", "redis");
            assertThat(get(context, "/order/A1", INTERRUPTED).statusCode()).isEqualTo(503);
        });
    }

    @Test
    void aMapperComesFirst() {
        runner(MapperConfiguration.class).run(context -> {
            HttpResponse<String> response = get(context, "/order/A1", BUSY);
            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(response.body()).isEqualTo("{\"text\":\"mapped BUSY\"}");
            assertThat(get(context, "/plain/A1", BUSY).statusCode()).isEqualTo(409);
        });
    }

    @Test
    void adviceOfTheApplicationForOtherThingsLeavesItToUs() {
        runner(OtherAdvice.class)
                .run(context ->
                        assertThat(get(context, "/order/A1", BUSY).statusCode()).isEqualTo(409));
    }

    @Test
    void adviceOfTheApplicationForLocksComesFirst() {
        runner(LockAdvice.class).run(context -> {
            HttpResponse<String> response = get(context, "/order/A1", BUSY);
            assertThat(response.statusCode()).isEqualTo(423);
            assertThat(response.body()).isEqualTo("locked order:A1");
        });
    }

    @Test
    void adviceOfTheApplicationForEverythingComesFirst() {
        runner(CatchAllAdvice.class)
                .run(context ->
                        assertThat(get(context, "/order/A1", BUSY).statusCode()).isEqualTo(418));
    }

    @Test
    void itMayBeSwitchedOff() {
        runner().withPropertyValues("distribution-lock.web.problem-details=false")
                .run(context ->
                        assertThat(get(context, "/order/A1", BUSY).statusCode()).isEqualTo(500));
    }

    record Answer(String text) {}

    @RestController
    static class Controller {

        @DistributionLock(key = "order", tryLockTime = 1200)
        @GetMapping("/order/{code}")
        public Answer order(@PathVariable("code") @DistributionLockParam String code) {
            return new Answer("ran " + code);
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
