package io.distributionlock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.distributionlock.LockBackendException;
import io.distributionlock.LockTemplate;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.redis.RedisLockExecutor;
import io.distributionlock.testing.FreePorts;
import io.distributionlock.testing.LockContextRunner;
import io.distributionlock.testing.MovedClasses;
import io.distributionlock.testing.RedisProcess;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The connection of the locks is opened in the background at the start, if the application has locked methods. */
@Tag("boot4")
class ConnectedAtStartTest {

    private static final Duration LONG = Duration.ofSeconds(60);

    private static ApplicationContextRunner application(int port, String... properties) {
        return LockContextRunner.plain()
                .withConfiguration(AutoConfigurations.of(MovedClasses.redisAutoConfiguration()))
                .withPropertyValues("spring.data.redis.host=127.0.0.1", "spring.data.redis.port=" + port)
                .withPropertyValues(properties);
    }

    private static long connections(RedisProcess redis) {
        return redis.command("CLIENT", "LIST").toString().lines().count();
    }

    @Test
    void anApplicationWithALockedMethodConnectsBeforeItsFirstLock() {
        try (RedisProcess redis = RedisProcess.start()) {
            long before = connections(redis);
            application(redis.port()).withBean(Service.class).run(context -> {
                assertThat(context).hasNotFailed();
                await().atMost(LONG).until(() -> connections(redis) > before);
            });
        }
    }

    @Test
    void onlyTheApplicationThatLocksConnectsToAServerThatSaysNothing() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            int port = silent.getLocalPort();
            application(port)
                    .run(context ->
                            assertThat(context.getBean(LockTemplate.class)).isNotNull());
            CompletableFuture<Socket> first = CompletableFuture.supplyAsync(() -> accepted(silent));
            application(port, "distribution-lock.redis.command-timeout=500ms")
                    .withBean(Service.class)
                    .run(context -> {
                        assertThat(context).hasNotFailed();
                        assertThat(first).succeedsWithin(LONG);
                        assertThatCommandTimeoutCounts(context.getBean(Service.class));
                    });
            first.join().close();
        }
    }

    /** A first call had ten seconds. */
    private static void assertThatCommandTimeoutCounts(Service service) {
        assertThatExceptionOfType(LockBackendException.class)
                .isThrownBy(service::once)
                .satisfies(e -> assertThat(e.waited()).isLessThan(Duration.ofSeconds(9)))
                .withStackTraceContaining("command-timeout");
    }

    private static Socket accepted(ServerSocket server) {
        try {
            return server.accept();
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void withoutRedisTheApplicationStartsAsBefore() {
        application(FreePorts.next()).withBean(Service.class).run(context -> {
            assertThat(context).hasNotFailed();
            assertThatExceptionOfType(LockBackendException.class).isThrownBy(context.getBean(Service.class)::once);
        });
    }

    @Test
    void whileLocksAreDisabledNothingConnects() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            int port = silent.getLocalPort();
            application(port, "distribution-lock.enabled=false", "payments=redis://127.0.0.1:" + port)
                    .withUserConfiguration(Payments.class)
                    .withBean(Service.class)
                    .run(context -> {
                        assertThat(context).hasNotFailed();
                        assertThat(context.getBean(Service.class).once()).isEqualTo("ran");
                    });
            silent.setSoTimeout(100);
            assertThatExceptionOfType(SocketTimeoutException.class).isThrownBy(silent::accept);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Payments {

        @Bean(defaultCandidate = false)
        RedisLockExecutor payments(LockExecutors executors, @Value("${payments}") String uri) {
            return executors.redis(uri);
        }
    }

    static class Service {

        @DistributionLock(key = "once", tryLockTime = 0)
        public String once() {
            return "ran";
        }
    }
}
