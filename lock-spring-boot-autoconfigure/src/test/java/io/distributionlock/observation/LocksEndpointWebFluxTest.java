package io.distributionlock.observation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributionlock.Lease;
import io.distributionlock.LockTemplate;
import io.distributionlock.testing.RunningApplication;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;

/** Spring WebFlux does not tell how a path was sent, so that no lock is freed by one. */
class LocksEndpointWebFluxTest {

    private static HttpResponse<String> call(RunningApplication context, String method, String path) throws Exception {
        return context.call(method, "/actuator/distributionlocks" + path);
    }

    @Test
    void aLockIsFreedByAParameterOnly() throws Exception {
        try (RunningApplication context = RunningApplication.start(
                Application.class,
                "spring.main.web-application-type=reactive",
                "distribution-lock.executor=local",
                "distribution-lock.endpoint.force-release.enabled=true",
                "management.endpoints.web.exposure.include=distributionlocks")) {
            LockTemplate template = context.getBean(LockTemplate.class);
            Lease a = template.acquire("a");
            Lease ab = template.acquire("a/b");
            for (String path : List.of("/a", "/a/", "/a;b", "/a/b", "/a//b", "//a/b")) {
                HttpResponse<String> refused = call(context, "DELETE", path);
                assertThat(refused.statusCode()).as(path).isIn(400, 404);
                if (refused.statusCode() == 400) {
                    assertThat(refused.body()).contains("?name=");
                }
            }
            assertThat(List.of(a.confirm(), ab.confirm())).containsOnly(true);
            assertThat(call(context, "GET", "/a/b").body()).contains("\"name\":\"a/b\"");

            assertThat(call(context, "DELETE", "?name=a%2Fb").statusCode()).isEqualTo(200);
            await().atMost(Duration.ofSeconds(20)).until(() -> !ab.isValid());
            assertThat(a.confirm()).isTrue();
            a.release();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}
}
