package io.distributionlock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.distributionlock.LockBackendException;
import io.distributionlock.LockTemplate;
import io.distributionlock.ReleaseResult;
import io.distributionlock.internal.BackendProblemException;
import io.distributionlock.testing.FreePorts;
import io.distributionlock.testing.LockContextRunner;
import io.distributionlock.testing.RedisBinary;
import io.distributionlock.testing.RedisProcess;
import io.distributionlock.testing.RespClient;
import io.distributionlock.testing.TcpProxy;
import io.distributionlock.testing.TestCertificate;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Locks over TLS and with a password, as Spring Boot configures the connection. */
@Tag("boot4")
class RedisTlsTest {

    /** Redis listens there too, and its certificate does not name it. */
    private static final String ANOTHER_HOST = "127.0.0.2";

    @TempDir
    static Path folder;

    private static TestCertificate certificate;
    private static RedisProcess redis;
    private static int tlsPort;

    @BeforeAll
    static void startRedis() throws Exception {
        certificate = TestCertificate.createIn(folder);
        tlsPort = FreePorts.next();
        redis = RedisProcess.start(
                RedisBinary.GIVEN,
                "--tls-port",
                String.valueOf(tlsPort),
                "--tls-cert-file",
                certificate.certificate().toString(),
                "--tls-key-file",
                certificate.key().toString(),
                "--tls-auth-clients",
                "no",
                "--bind",
                "127.0.0.1",
                ANOTHER_HOST,
                "--requirepass",
                "secret");
    }

    @AfterAll
    static void stopRedis() {
        redis.close();
    }

    private static ApplicationContextRunner application(int port) {
        return LockContextRunner.redis(port)
                .withConfiguration(AutoConfigurations.of(SslAutoConfiguration.class))
                .withPropertyValues(
                        "spring.data.redis.password=secret",
                        "spring.data.redis.lettuce.shutdown-timeout=0",
                        // When it closes, the lock waits so long for a release that nobody answers.
                        "distribution-lock.redis.command-timeout=15s",
                        "distribution-lock.shutdown.timeout=0s");
    }

    private static ApplicationContextRunner withBundle(int port) {
        return application(port)
                .withPropertyValues(
                        "spring.data.redis.ssl.bundle=redis",
                        "spring.ssl.bundle.pem.redis.truststore.certificate="
                                + certificate.certificate().toUri());
    }

    @Test
    void whenTheBundleTrustsRedisThenLocksAreAcquiredOverTls() {
        withBundle(tlsPort)
                .withPropertyValues("distribution-lock.redis.check-on-start=true")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    LockTemplate locks = context.getBean(LockTemplate.class);
                    assertThat(locks.execute("name", () -> locks.lock("name").isLocked()))
                            .isTrue();
                });
    }

    @Tag("long")
    @Test
    void whenNothingTrustsRedisThenTheFailureNamesTheBundle() {
        application(tlsPort)
                .withPropertyValues("spring.data.redis.ssl.enabled=true")
                .run(context -> firstUse(
                        context.getBean(LockTemplate.class),
                        failure -> assertThat(failure)
                                .hasMessageContaining("spring.data.redis.ssl.bundle")
                                .hasCauseInstanceOf(BackendProblemException.class)));
    }

    @Tag("long")
    @Test
    void whenTlsIsForgottenThenTheFailureSaysSo() {
        application(tlsPort)
                .run(context -> firstUse(
                        context.getBean(LockTemplate.class),
                        failure -> assertThat(failure)
                                .hasMessageContaining("use TLS")
                                .hasMessageNotContaining("Check that Redis is running")));
    }

    /** On a busy machine, the wait of an attempt may end before the reason is known. */
    @Test
    void aTrustedCertificateOfAnotherHostIsRefused() {
        withBundle(tlsPort)
                .withPropertyValues("spring.data.redis.host=" + ANOTHER_HOST)
                .run(context -> await().atMost(Duration.ofSeconds(60))
                        .untilAsserted(() -> firstUse(
                                context.getBean(LockTemplate.class),
                                failure -> assertThat(failure)
                                        .hasMessageContaining("The certificate of Redis is for another host"))));
    }

    /** As the page on threats says. */
    @Test
    void jedisTakesATrustedCertificateOfAnotherHost() {
        withBundle(tlsPort)
                .withPropertyValues("spring.data.redis.host=" + ANOTHER_HOST, "spring.data.redis.client-type=jedis")
                .run(context -> assertThat(context.getBean(LockTemplate.class).execute("name", () -> "done"))
                        .isEqualTo("done"));
    }

    /** Redis waits for the rest of what it takes for a command, so nothing is said for long. */
    @Tag("long")
    @Test
    void whenRedisDoesNotSpeakTlsThenTheFailureSaysSo() {
        application(redis.port())
                .withPropertyValues("spring.data.redis.ssl.enabled=true", "distribution-lock.defaults.try-lock-time=2s")
                .run(context -> firstUse(
                        context.getBean(LockTemplate.class),
                        failure -> assertThat(failure)
                                .hasMessageContaining("not connected yet to 127.0.0.1:" + redis.port())
                                .hasMessageContaining("use TLS")
                                .hasMessageNotContaining("Check that Redis is running")));
    }

    /** The lock was taken, and a broken record of TLS is not what Redis has answered. */
    @Test
    void whenTheAnswerCannotBeReadThenTheLockIsGivenBack() {
        try (TcpProxy proxy = new TcpProxy(tlsPort)) {
            withBundle(proxy.port())
                    .withPropertyValues("distribution-lock.redis.command-timeout=2s")
                    .run(context -> {
                        LockTemplate locks = context.getBean(LockTemplate.class);
                        await().atMost(Duration.ofSeconds(60))
                                .ignoreExceptionsInstanceOf(LockBackendException.class)
                                .until(() -> locks.acquire("before").release() == ReleaseResult.RELEASED);
                        proxy.garble(true);
                        assertThatThrownBy(() -> locks.acquire("garbled")).isInstanceOf(LockBackendException.class);
                        proxy.garble(false);
                        await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> {
                            assertThat(redis("GET", "distribution-lock:{garbled}"))
                                    .isNull();
                            assertThat((List<?>) redis("KEYS", "distribution-lock:{garbled}:gone:*"))
                                    .isNotEmpty();
                        });
                    });
        }
    }

    private static @Nullable Object redis(String... command) throws IOException {
        try (RespClient client = new RespClient(redis.port())) {
            client.command("AUTH", "secret");
            return client.command(command);
        }
    }

    private static void firstUse(LockTemplate locks, Consumer<LockBackendException> expectation) {
        try {
            locks.acquire("name").release();
        } catch (LockBackendException e) {
            expectation.accept(e);
            return;
        }
        throw new AssertionError("The lock was got");
    }
}
