package io.distributionlock.failure;

import io.distributionlock.LockOutcome;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.testing.LockContextRunner;
import io.distributionlock.testing.ScriptedLockExecutor;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.config.EnableWebFlux;
import reactor.core.publisher.Mono;

/** The same for a reactive application. */
class WebFluxStatusTest {

    private final ScriptedLockExecutor executor = new ScriptedLockExecutor();

    @Test
    void aBusyLockIs409AndAFailedBackend503() {
        LockContextRunner.with(executor, Application.class).run(context -> {
            WebTestClient client =
                    WebTestClient.bindToApplicationContext(context).build();
            executor.answerNext(new LockOutcome.Busy(Duration.ZERO));
            client.get().uri("/order").exchange().expectStatus().isEqualTo(409);
            executor.answerNext(new LockOutcome.BackendFailed(Duration.ZERO, new IllegalStateException("down")));
            client.get().uri("/order").exchange().expectStatus().isEqualTo(503);
            client.get().uri("/order").exchange().expectStatus().isOk();
        });
    }

    @Configuration(proxyBeanMethods = false)
    @EnableWebFlux
    @Import(Controller.class)
    static class Application {}

    @RestController
    static class Controller {

        @DistributionLock(key = "order")
        @GetMapping("/order")
        public Mono<String> order() {
            return Mono.just("ran");
        }
    }
}
