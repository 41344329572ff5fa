package io.distributionlock.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.Lease;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.FencingToken;
import io.distributionlock.testing.LockContextRunner;
import io.distributionlock.testing.ScriptedLockExecutor;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.config.EnableWebFlux;
import reactor.core.publisher.Mono;

/** The same for a reactive application. */
class WebFluxParametersTest {

    @Test
    void tokenAndLeaseAreThoseOfTheLockWhateverTheClientSends() {
        new ReactiveWebApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class))
                .withConfiguration(AutoConfigurations.of(LockContextRunner.autoConfigurations()))
                .withBean(ScriptedLockExecutor.class, ScriptedLockExecutor::new)
                .withUserConfiguration(Application.class)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    WebTestClient client =
                            WebTestClient.bindToApplicationContext(context).build();
                    for (String query : new String[] {"", "?token=" + Long.MAX_VALUE, "?token=none&lease=other"}) {
                        client.get()
                                .uri("/order" + query)
                                .exchange()
                                .expectStatus()
                                .isOk()
                                .expectBody(String.class)
                                .isEqualTo("order true");
                    }
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
        public Mono<String> order(@FencingToken long token, Lease lease) {
            return Mono.just(lease.name() + " " + (token == lease.fencingToken()));
        }
    }
}
