package io.distributionlock.failure;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.CommitGuard;
import io.distributionlock.LockLostException;
import io.distributionlock.LockOutcome;
import io.distributionlock.OnLost;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.DistributionLockParam;
import io.distributionlock.annotation.RefuseRepeats;
import io.distributionlock.testing.RunningApplication;
import io.distributionlock.testing.ScriptedLockExecutor;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;
import org.springframework.http.ResponseEntity;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/** What a client of a web application sees when a lock was not acquired, through a real server. */
@Tag("boot4")
class HttpStatusTest {

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

    @Test
    void aBusyLockIs409() throws Exception {
        try (RunningApplication application = start()) {
            HttpResponse<String> response = get(application, "/order/A1", BUSY);
            assertThat(response.statusCode()).isEqualTo(409);
            assertThat(response.body()).contains("\"status\":409").doesNotContain("order:A1");
            assertThat(get(application, "/form/A1", BUSY).statusCode())
                    .as("a repeat")
                    .isEqualTo(409);
        }
    }

    @Test
    void aFailedBackendIs503AndRevealsNothingAboutIt() throws Exception {
        try (RunningApplication application = start()) {
            HttpResponse<String> response = get(application, "/order/A1", DOWN);
            assertThat(response.statusCode()).isEqualTo(503);
            assertThat(response.body()).contains("\"status\":503").doesNotContain("10.0.0.7", "redis", "order:A1");
            assertThat(get(application, "/order/A1", INTERRUPTED).statusCode()).isEqualTo(503);
        }
    }

    /** The work has run: no status that lets clients repeat it, and no mapper that says "try again". */
    @Test
    void aLostLockIs500AndAsksNoMapper() throws Exception {
        try (RunningApplication application = start(MapperConfiguration.class)) {
            assertThat(application.get("/lost/A1").statusCode()).isEqualTo(500);
        }
    }

    /** As every lost lock; the application may answer otherwise, since nothing is committed. */
    @Test
    void aHolderThatTheDatabaseRefusesIs500AndAsksNoMapper() throws Exception {
        try (RunningApplication application = start(MapperConfiguration.class, Database.class, OvertakenAdvice.class)) {
            assertThat(application.get("/overtaken/A1").body()).isEqualTo("OVERTAKEN order:A1 by 9");
        }
        try (RunningApplication application = start(MapperConfiguration.class, Database.class)) {
            assertThat(application.get("/overtaken/A1").statusCode()).isEqualTo(500);
        }
    }

    @Test
    void theMessageIsShownWhereMessagesAre() throws Exception {
        try (RunningApplication application =
                start(List.of(), "server.error.include-message=always", "spring.web.error.include-message=always")) {
            for (LockOutcome outcome : List.of(BUSY, DOWN, INTERRUPTED)) {
                assertThat(get(application, "/told/A1", outcome).body())
                        .contains("\"message\":\"Somebody else edits this.\"");
            }
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

    @Test
    void adviceOfTheApplicationComesFirst() throws Exception {
        try (RunningApplication application = start(CatchAllAdvice.class)) {
            assertThat(get(application, "/order/A1", BUSY).statusCode()).isEqualTo(418);
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

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement
    @Import(GuardedController.class)
    static class Database {

        @Bean
        DataSource dataSource() {
            return new DriverManagerDataSource("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        }

        @Bean
        @Primary
        PlatformTransactionManager transactionManager(DataSource dataSource) {
            return new DataSourceTransactionManager(dataSource);
        }
    }

    @RestController
    static class GuardedController {

        private final DataSource dataSource;

        GuardedController(DataSource dataSource) {
            this.dataSource = dataSource;
        }

        @Transactional
        @DistributionLock(key = "order", commitGuard = CommitGuard.DATABASE)
        @GetMapping("/overtaken/{code}")
        public Answer overtaken(@PathVariable("code") @DistributionLockParam String code) {
            new JdbcTemplate(dataSource).update("update distribution_lock_fence set token = 9, holder = 'another'");
            return new Answer("ran " + code);
        }
    }

    @RestControllerAdvice
    static class OvertakenAdvice {

        @ExceptionHandler
        String on(LockLostException lost) {
            return lost.reason() + " " + lost.lockName() + " by "
                    + lost.overtakenBy().orElseThrow();
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
