package io.distributionlock.migrations;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.testing.RedisProcess;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/**
 * A migration in two deployments, in an application with both libraries. The beans {@code before}, {@code both} and {@code after} do
 * what the versions of the application do: one takes the old lock, one both, one the new lock.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class MigrationContract {

    static final String LOCK = "order:A1001";

    static final String REDISSON = "org.redisson.spring.starter.RedissonAutoConfigurationV4";
    static final String LOCK4J = "com.baomidou.lock.spring.boot.autoconfigure.LockAutoConfiguration,"
            + "com.baomidou.lock.spring.boot.autoconfigure.RedisTemplateLockAutoConfiguration";

    private final RedisProcess redis;
    private final ConfigurableApplicationContext application;

    /**
     * @param configuration the beans
     * @param without auto-configurations of the class path that such an application lacks
     */
    MigrationContract(RedisProcess redis, Class<?> configuration, String... without) {
        this.redis = redis;
        this.application = new SpringApplicationBuilder(Application.class, configuration)
                .web(WebApplicationType.NONE)
                .properties(
                        "spring.main.banner-mode=off",
                        "spring.data.redis.host=127.0.0.1",
                        "spring.data.redis.port=" + redis.port(),
                        "spring.autoconfigure.exclude=" + String.join(",", without))
                .run();
    }

    @AfterEach
    void forget() {
        redis.command("FLUSHALL");
    }

    @AfterAll
    void close() {
        application.close();
    }

    /** The key of the old lock. */
    abstract String oldKey();

    private Version version(String bean) {
        return application.getBean(bean, Version.class);
    }

    private boolean runs(String version) {
        AtomicBoolean ran = new AtomicBoolean();
        try {
            version(version).run(() -> ran.set(true));
        } catch (RuntimeException busy) {
            assertThat(ran).as("what fails has not run").isFalse();
        }
        return ran.get();
    }

    private Set<String> keys() {
        Set<String> keys = new TreeSet<>();
        ((List<?>) redis.command("KEYS", "*")).forEach(key -> keys.add(String.valueOf(key)));
        return keys;
    }

    @Test
    void theVersionBetweenTakesBothLocks() {
        Set<String> inside = new TreeSet<>();
        version("both").run(() -> inside.addAll(keys()));
        assertThat(inside)
                .anyMatch(key -> key.startsWith("distribution-lock:") && key.contains(LOCK))
                .anyMatch(key -> key.equals(oldKey()));
        assertThat(runs("before")).isTrue();
        assertThat(runs("after")).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "before, before",
        "before, both",
        "both, before",
        "both, both",
        "both, after",
        "after, both",
        "after, after"
    })
    void neighboursExcludeEachOther(String first, String second) throws Exception {
        whileInside(first, () -> assertThat(runs(second)).isFalse());
        assertThat(runs(second)).isTrue();
    }

    /** Which is why there is a version between. */
    @Test
    void theFirstAndTheLastDoNotExcludeEachOther() throws Exception {
        whileInside("before", () -> assertThat(runs("after")).isTrue());
    }

    private void whileInside(String version, Runnable task) throws Exception {
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(1);
        CompletableFuture<Void> holder =
                CompletableFuture.runAsync(() -> version(version).run(() -> {
                    entered.countDown();
                    await(done);
                }));
        try {
            assertThat(entered.await(30, TimeUnit.SECONDS)).isTrue();
            task.run();
        } finally {
            done.countDown();
            holder.get(30, TimeUnit.SECONDS);
        }
    }

    private static void await(CountDownLatch done) {
        try {
            done.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}
}
