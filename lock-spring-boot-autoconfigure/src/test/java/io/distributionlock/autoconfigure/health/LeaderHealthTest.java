package io.distributionlock.autoconfigure.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.jayway.jsonpath.DocumentContext;
import com.jayway.jsonpath.JsonPath;
import io.distributionlock.leader.LeaderElection;
import io.distributionlock.testing.RedisProcess;
import io.distributionlock.testing.RunningApplication;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;

/** Who leads, as the health and the endpoint of each instance show it. */
@Tag("boot4")
class LeaderHealthTest {

    private static final Duration LONG = Duration.ofSeconds(60);

    private static RunningApplication start(RedisProcess redis, String... more) {
        String[] properties = {
            "spring.data.redis.port=" + redis.port(),
            "distribution-lock.redis.command-timeout=20s",
            "distribution-lock.leader.elections=outbox",
            "management.endpoint.health.show-details=always",
            "management.endpoints.web.exposure.include=health,distributionlocks"
        };
        return RunningApplication.start(
                Application.class,
                Stream.concat(Arrays.stream(properties), Arrays.stream(more)).toArray(String[]::new));
    }

    private static DocumentContext get(RunningApplication application, String path) throws Exception {
        HttpResponse<String> response = application.get(path);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return JsonPath.parse(response.body());
    }

    @Test
    void healthAndEndpointShowWhoLeads() throws Exception {
        try (RedisProcess redis = RedisProcess.start();
                RunningApplication here = start(redis)) {
            LeaderElection election = here.getBean(LeaderElection.class);
            await().atMost(LONG).until(election::isLeader);
            try (RunningApplication there = start(redis)) {
                String component = "$.components.outbox.";
                DocumentContext leading = get(here, "/actuator/health/leaderElection");
                assertThat(leading.<String>read(component + "status")).isEqualTo("UP");
                assertThat(leading.<Boolean>read(component + "details.leads")).isTrue();
                String leader = leading.read(component + "details.leader");
                DocumentContext waiting = get(there, "/actuator/health/leaderElection");
                assertThat(waiting.<Boolean>read(component + "details.leads")).isFalse();
                assertThat(waiting.<String>read(component + "details.leader")).isEqualTo(leader);

                DocumentContext endpoint = get(here, "/actuator/distributionlocks");
                assertThat(endpoint.<String>read("$.executors.redisLockExecutor.instance"))
                        .isEqualTo(leader);
                assertThat(endpoint.<Boolean>read("$.elections.outbox.leads")).isTrue();
                assertThat(endpoint.<String>read("$.elections.outbox.lock")).isEqualTo("leader:outbox");
                assertThat(endpoint.<String>read("$.elections.outbox.fencingToken"))
                        .isEqualTo(Long.toString(election.term().orElseThrow().fencingToken()));
                assertThat(get(there, "/actuator/distributionlocks").<Boolean>read("$.elections.outbox.leads"))
                        .isFalse();
            }
        }
    }

    @Test
    void itSaysWhyTheLeaderIsUnknown() throws Exception {
        try (RedisProcess redis = RedisProcess.start();
                RunningApplication application = start(redis, "distribution-lock.redis.command-timeout=500ms")) {
            await().atMost(LONG).until(application.getBean(LeaderElection.class)::isLeader);
            redis.stop();
            DocumentContext health = JsonPath.parse(
                    application.get("/actuator/health/leaderElection").body());
            assertThat(health.<String>read("$.components.outbox.details.leaderUnknown"))
                    .isNotEmpty();
        }
    }

    @Test
    void itCanBeSwitchedOff() throws Exception {
        try (RedisProcess redis = RedisProcess.start();
                RunningApplication application = start(redis, "management.health.leader-election.enabled=false")) {
            assertThat(application.get("/actuator/health/leaderElection").statusCode())
                    .isEqualTo(404);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}
}
