package io.distributionlock.observation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.jayway.jsonpath.DocumentContext;
import com.jayway.jsonpath.JsonPath;
import io.distributionlock.Lease;
import io.distributionlock.LockExecutor;
import io.distributionlock.LockKind;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockRequest;
import io.distributionlock.LockTemplate;
import io.distributionlock.event.LockForcedEvent;
import io.distributionlock.local.LocalLockExecutor;
import io.distributionlock.testing.FreePorts;
import io.distributionlock.testing.RedisProcess;
import io.distributionlock.testing.RunningApplication;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;

/** The actuator endpoint, asked over HTTP, on a real Redis. */
@Tag("boot4")
@ExtendWith(OutputCaptureExtension.class)
class LocksEndpointTest {

    private static final Duration LONG = Duration.ofSeconds(20);

    @AutoClose
    private static final RedisProcess redis = RedisProcess.start();

    private static RunningApplication start(String... properties) {
        return start(Application.class, properties);
    }

    private static RunningApplication start(Class<?> application, String... properties) {
        List<String> all = new ArrayList<>(List.of(
                "spring.data.redis.port=" + redis.port(),
                "distribution-lock.redis.command-timeout=20s",
                "distribution-lock.defaults.try-lock-time=20s",
                // Nobody releases what a test still holds.
                "distribution-lock.shutdown.timeout=0s",
                "management.endpoints.web.exposure.include=distributionlocks"));
        all.addAll(List.of(properties));
        return RunningApplication.start(application, all.toArray(String[]::new));
    }

    private static HttpResponse<String> call(RunningApplication application, String method, String path)
            throws IOException, InterruptedException {
        return application.call(method, "/actuator/distributionlocks" + path);
    }

    private static DocumentContext get(RunningApplication context, String path) throws Exception {
        HttpResponse<String> response = call(context, "GET", path);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return JsonPath.parse(response.body());
    }

    private static String encoded(String name) {
        return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
    }

    @Test
    void itShowsWhatThisProcessHoldsAndWaitsFor() throws Exception {
        try (RunningApplication here = start();
                RunningApplication there = start()) {
            LockTemplate template = here.getBean(LockTemplate.class);
            Lease held =
                    template.acquire(LockRequest.named("order:1").label("order").build());
            Lease elsewhere = there.getBean(LockTemplate.class).acquire("job");
            CompletableFuture<LockOutcome> waiting = template.acquireAsync(LockRequest.named("job")
                    .kind(LockKind.FAIR)
                    .tryLockTime(LONG)
                    .build());

            String executor = "$.executors.distributionLockExecutor";
            assertThat(get(here, "").<String>read(executor + ".held[0].fencingToken"))
                    .isNull();
            long token = held.fencingToken();
            DocumentContext shown = get(here, "");
            assertThat(shown.<Boolean>read("$.enabled")).isTrue();
            assertThat(shown.<String>read(executor + ".held[0].name")).isEqualTo("order:1");
            assertThat(shown.<String>read(executor + ".held[0].key")).isEqualTo("order");
            assertThat(shown.<String>read(executor + ".held[0].kind")).isEqualTo("REENTRANT");
            assertThat(shown.<String>read(executor + ".held[0].owner"))
                    .isEqualTo(Thread.currentThread().getName());
            assertThat(shown.<String>read(executor + ".held[0].fencingToken")).isEqualTo(Long.toString(token));
            assertThat(shown.<Integer>read(executor + ".held[0].leaseLeftMillis"))
                    .isBetween(20_000, 60_000);
            assertThat(shown.<String>read(executor + ".held[0].since")).contains("T");
            assertThat(shown.<List<String>>read(executor + ".waiting[*].name")).containsExactly("job");
            assertThat(shown.<List<String>>read(executor + ".waiting[*].kind")).containsExactly("FAIR");

            await().atMost(LONG).until(() -> get(there, "/job").<Integer>read(executor + ".waiting") == 1);
            DocumentContext job = get(here, "/job");
            assertThat(job.<Boolean>read(executor + ".locked")).isTrue();
            assertThat(job.<Boolean>read(executor + ".holders[0].here")).isFalse();
            assertThat(job.<Integer>read(executor + ".holders[0].leaseLeftMillis"))
                    .isBetween(20_000, 60_000);
            assertThat(job.<Boolean>read(executor + ".queue[0].here")).isTrue();
            assertThat(job.<Integer>read(executor + ".queue[0].position")).isEqualTo(1);
            assertThat(get(here, "/nothing").<Boolean>read(executor + ".locked"))
                    .isFalse();

            waiting.cancel(true);
            elsewhere.release();
            held.release();
        }
    }

    @Test
    void namesWithSlashesBlanksAndChineseAreFoundAndFreed() throws Exception {
        try (RunningApplication context = start(
                "distribution-lock.endpoint.force-release.enabled=true", "distribution-lock.events.enabled=true")) {
            LockTemplate template = context.getBean(LockTemplate.class);
            Application application = context.getBean(Application.class);
            for (String name : List.of("a/b", "with blank", "订单:状态", "a/订单 1/{x}%")) {
                String path = "/" + encoded(name).replace("%2F", "/");
                Lease lease = template.acquire(name);
                assertThat(get(context, path).<String>read("$.name")).isEqualTo(name);
                assertThat(get(context, path).<Boolean>read("$.executors.distributionLockExecutor.locked"))
                        .isTrue();

                HttpResponse<String> freed = call(context, "DELETE", path);
                assertThat(freed.statusCode()).as(freed.body()).isEqualTo(200);
                await().atMost(LONG).until(() -> !lease.isValid());
                assertThat(call(context, "DELETE", path).statusCode()).isEqualTo(404);
            }
            for (String name : List.of("a//b", "/a", "b/")) {
                Lease lease = template.acquire(name);
                assertThat(get(context, "?name=" + encoded(name))
                                .<Boolean>read("$.executors.distributionLockExecutor.locked"))
                        .isTrue();
                assertThat(call(context, "DELETE", "?name=" + encoded(name)).statusCode())
                        .isEqualTo(200);
                await().atMost(LONG).until(() -> !lease.isValid());
            }
            await().atMost(LONG).until(() -> application.forced.size() == 11);
            assertThat(application.forced).contains(new LockForcedEvent("a/b", true));
        }
    }

    /** A caller that means the lock "a;b=c" must not free "a". */
    @Test
    void aPathThatSpringReadsOtherwiseFreesNoOtherLock() throws Exception {
        try (RunningApplication context = start("distribution-lock.endpoint.force-release.enabled=true")) {
            LockTemplate template = context.getBean(LockTemplate.class);
            Lease a = template.acquire("a");
            Lease ab = template.acquire("a/b");
            for (String path :
                    List.of("/a;b=c", "/a;", "/a/b;c", "/a;x/b", "/a/", "/a//b", "//a/b", "/a/b/", "/a?name=a/b")) {
                HttpResponse<String> refused = call(context, "DELETE", path);
                assertThat(refused.statusCode())
                        .as(path + ": " + refused.body())
                        .isEqualTo(400);
                assertThat(refused.body()).contains("name");
            }
            assertThat(call(context, "GET", "/a;b=c").statusCode()).isEqualTo(400);
            assertThat(List.of(a.confirm(), ab.confirm())).containsOnly(true);

            for (String name : List.of("a;b=c", "a;", ";", "a%b", "a%3Bb", "a+b", "a?b", "a#b", "..", "a=b&c")) {
                Lease lease = template.acquire(name);
                assertThat(call(context, "DELETE", "?name=" + encoded(name)).statusCode())
                        .as(name)
                        .isEqualTo(200);
                await().atMost(LONG).until(() -> !lease.isValid());
            }
            for (String name : List.of("a;b=c", "a;", "a%b", "a+b", "a?b", "a#b", "a=b&c")) {
                Lease lease = template.acquire(name);
                HttpResponse<String> freed = call(context, "DELETE", "/" + encoded(name));
                assertThat(freed.statusCode()).as(name + ": " + freed.body()).isEqualTo(200);
                await().atMost(LONG).until(() -> !lease.isValid());
            }
            // Tomcat refuses an encoded slash.
            assertThat(call(context, "DELETE", "/a%2Fb").statusCode()).isEqualTo(400);
            assertThat(List.of(a.confirm(), ab.confirm())).containsOnly(true);
            a.release();
            ab.release();
        }
    }

    @Test
    void itListsALimitedNumberOfLocksAndCountsAll() throws Exception {
        try (RunningApplication context = start()) {
            LockTemplate template = context.getBean(LockTemplate.class);
            List<CompletableFuture<LockOutcome>> leases = new ArrayList<>();
            for (int i = 0; i < 1_500; i++) {
                leases.add(template.acquireAsync(
                        LockRequest.named((i % 3 == 0 ? "a:" : "b:") + i).build()));
            }
            for (CompletableFuture<LockOutcome> lease : leases) {
                assertThat(lease.get(60, TimeUnit.SECONDS)).isInstanceOf(LockOutcome.Acquired.class);
            }
            String executor = "$.executors.distributionLockExecutor";
            DocumentContext all = get(context, "");
            assertThat(all.<List<?>>read(executor + ".held")).hasSize(1_000);
            assertThat(all.<Integer>read(executor + ".holds")).isEqualTo(1_500);
            assertThat(all.<Integer>read(executor + ".waits")).isZero();
            assertThat(get(context, "?limit=1500").<List<?>>read(executor + ".held"))
                    .hasSize(1_500);
            assertThat(get(context, "?limit=0").<List<?>>read(executor + ".held"))
                    .isEmpty();
            assertThat(get(context, "?prefix=a:").<List<String>>read(executor + ".held[*].name"))
                    .hasSize(500)
                    .allMatch(name -> name.startsWith("a:"));
            assertThat(get(context, "?prefix=a:&limit=7").<List<?>>read(executor + ".held"))
                    .hasSize(7);
            assertThat(call(context, "GET", "?limit=many").statusCode()).isEqualTo(400);
        }
    }

    @Tag("long")
    @Test
    void aLockIsFreedWhereverItIsKept() throws Exception {
        try (RunningApplication context =
                start(Payments.class, "distribution-lock.endpoint.force-release.enabled=true")) {
            LockExecutor payments = context.getBean("payments", LockExecutor.class);
            Lease lease = LockTemplate.builder(payments).build().acquire("pay:1");
            assertThat(call(context, "DELETE", "/pay:1").statusCode()).isEqualTo(200);
            await().atMost(LONG).until(() -> !lease.isValid());
            assertThat(call(context, "DELETE", "/pay:1").statusCode()).isEqualTo(404);
        }
    }

    @Tag("long")
    @Test
    void withAnActuatorLocksAreObservedWithNothingConfigured() {
        try (RunningApplication context = start()) {
            MeterRegistry meters = context.getBean(MeterRegistry.class);
            LockTemplate template = context.getBean(LockTemplate.class);
            try (Lease lease =
                    template.acquire(template.request("order:1").label("order").build())) {
                assertThat(lease.isValid()).isTrue();
                assertThat(meters.get("distribution.lock.hold.active")
                                .tag("key", "order")
                                .longTaskTimer()
                                .activeTasks())
                        .isEqualTo(1);
            }
            assertThat(meters.get("distribution.lock.wait")
                            .tag("key", "order")
                            .tag("outcome", "acquired")
                            .timer()
                            .count())
                    .isEqualTo(1);
            assertThat(meters.get("distribution.lock.hold")
                            .tag("outcome", "released")
                            .timer()
                            .count())
                    .isEqualTo(1);
        }
    }

    @Tag("long")
    @Test
    void whoReleasesALockIsLoggedAndAFailureOfRedisIsDistinguished(CapturedOutput output) throws Exception {
        int nobody = FreePorts.next();
        try (RunningApplication here = start("distribution-lock.endpoint.force-release.enabled=true");
                RunningApplication cutOff = start(
                        "distribution-lock.endpoint.force-release.enabled=true",
                        "spring.data.redis.port=" + nobody,
                        "distribution-lock.redis.command-timeout=300ms")) {
            Lease lease = here.getBean(LockTemplate.class).acquire("order:7");
            assertThat(call(here, "DELETE", "/order:7").statusCode()).isEqualTo(200);
            assertThat(output)
                    .contains("Lock 'order:7' was released by force through the endpoint, by an anonymous user");
            lease.release();
            assertThat(call(cutOff, "DELETE", "/order:7").statusCode()).isEqualTo(503);
            assertThat(output).contains("Lock 'order:7' could not be released by force");
        }
    }

    @Tag("long")
    @Test
    void nothingCanBeFreedUnlessThatIsSwitchedOn() throws Exception {
        try (RunningApplication context = start()) {
            Lease lease = context.getBean(LockTemplate.class).acquire("order:1");
            assertThat(call(context, "DELETE", "/order:1").statusCode()).isEqualTo(405);
            assertThat(call(context, "DELETE", "?name=order:1").statusCode()).isEqualTo(405);
            assertThat(lease.confirm()).isTrue();
            lease.release();
        }
    }

    @Tag("long")
    @Test
    void itIsNotThereUnlessItIsExposed() throws Exception {
        try (RunningApplication context = start("management.endpoints.web.exposure.include=health")) {
            assertThat(call(context, "GET", "").statusCode()).isEqualTo(404);
        }
    }

    @Tag("long")
    @Test
    void itSaysThatNothingIsLockedAndThatRedisIsAway() throws Exception {
        try (RunningApplication context = start("distribution-lock.enabled=false")) {
            assertThat(get(context, "").<Boolean>read("$.enabled")).isFalse();
        }
        int nobody = FreePorts.next();
        try (RunningApplication context =
                start("spring.data.redis.port=" + nobody, "distribution-lock.redis.command-timeout=300ms")) {
            DocumentContext report = get(context, "/order");
            assertThat(report.<Map<String, Object>>read("$.executors.distributionLockExecutor")
                            .get("locked"))
                    .isNull();
            assertThat(report.<String>read("$.executors.distributionLockExecutor.problem"))
                    .contains("order");
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {

        final List<LockForcedEvent> forced = new CopyOnWriteArrayList<>();

        @EventListener
        void hear(LockForcedEvent event) {
            forced.add(event);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Payments extends Application {

        @Bean(defaultCandidate = false)
        LocalLockExecutor payments() {
            return new LocalLockExecutor();
        }
    }
}
