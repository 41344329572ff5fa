package io.distributionlock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.distributionlock.LockBackendException;
import io.distributionlock.LockTemplate;
import io.distributionlock.testing.LockContextRunner;
import io.distributionlock.testing.TestCertificate;
import io.distributionlock.testing.TlsRedis;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** The nodes of a quorum over TLS, with a private CA and with client certificates, also while these change. */
@Tag("boot4")
class QuorumTlsTest {

    private static final Duration LONG = Duration.ofSeconds(30);
    private static final String BUNDLE = "distribution-lock.quorum.ssl-bundle";

    @TempDir
    static Path folder;

    private static TestCertificate one;
    private static TestCertificate other;
    private static TestCertificate ofServer;
    private static TestCertificate ofClient;
    private static TlsRedis redis;

    @BeforeAll
    static void startRedis() throws Exception {
        one = TestCertificate.createIn(folder, "one");
        other = TestCertificate.createIn(folder, "other");
        ofServer = TestCertificate.createIn(folder, "server");
        ofClient = TestCertificate.createIn(folder, "client");
        ofServer.become(one);
        ofClient.become(one);
        redis = TlsRedis.start(ofServer, ofServer, "--tls-auth-clients", "yes");
    }

    @AfterAll
    static void stopRedis() {
        redis.close();
    }

    @BeforeEach
    void beginWithTheFirst() throws Exception {
        ofServer.become(one);
        ofClient.become(one);
        redis.readCertificates();
    }

    private static ApplicationContextRunner application(String... properties) {
        return LockContextRunner.plain()
                .withConfiguration(AutoConfigurations.of(SslAutoConfiguration.class))
                .withPropertyValues(
                        "distribution-lock.executor=quorum",
                        "distribution-lock.quorum.nodes=rediss://127.0.0.1:" + redis.tlsPort(),
                        "distribution-lock.defaults.try-lock-time=20s",
                        "distribution-lock.shutdown.timeout=0s")
                .withPropertyValues(properties);
    }

    private static ApplicationContextRunner withBundle(String... properties) {
        return application(
                        BUNDLE + "=nodes",
                        "spring.ssl.bundle.pem.nodes.truststore.certificate="
                                + ofClient.certificate().toUri(),
                        "spring.ssl.bundle.pem.nodes.keystore.certificate="
                                + ofClient.certificate().toUri(),
                        "spring.ssl.bundle.pem.nodes.keystore.private-key="
                                + ofClient.key().toUri())
                .withPropertyValues(properties);
    }

    @Test
    void withABundleLocksAreAcquired() {
        withBundle().run(context -> {
            LockTemplate locks = context.getBean(LockTemplate.class);
            assertThat(locks.execute("name", () -> locks.lock("name").isLocked()))
                    .isTrue();
        });
    }

    @Test
    void withoutABundleTheFailureNamesThePropertyOfTheQuorum() {
        application("distribution-lock.defaults.try-lock-time=8s")
                .run(context -> assertThatThrownBy(
                                () -> context.getBean(LockTemplate.class).acquire("name"))
                        .isInstanceOf(LockBackendException.class)
                        .hasMessageContaining("does not trust the certificate of Redis")
                        .hasMessageContaining(BUNDLE)
                        .hasMessageNotContaining("spring.data.redis"));
    }

    @Test
    void aBundleThatDoesNotExistFailsTheStart() {
        application(BUNDLE + "=nodes")
                .withUserConfiguration(Locking.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining(BUNDLE + " is 'nodes', and there is no SSL bundle of this name"));
    }

    @Test
    void aBundleThatWouldProtectNothingFailsTheStart() {
        withBundle("distribution-lock.quorum.nodes=redis://127.0.0.1:" + redis.port())
                .withUserConfiguration(Locking.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining("would be used without TLS")
                        .hasStackTraceContaining("Write rediss://"));
    }

    @Test
    void anUpdatedBundleIsUsedWithoutARestart() {
        withBundle(
                        "spring.ssl.bundle.pem.nodes.reload-on-update=true",
                        "spring.ssl.bundle.watch.file.quiet-period=100ms")
                .run(context -> {
                    LockTemplate locks = context.getBean(LockTemplate.class);
                    locks.acquire("name").release();
                    ofServer.become(other);
                    redis.readCertificates();
                    redis.cutClients();
                    // Redis trusts only the new one, and the application only the old one.
                    assertThatThrownBy(() -> locks.acquire("name")).isInstanceOf(LockBackendException.class);
                    ofClient.become(other);
                    await().atMost(LONG)
                            .ignoreExceptions()
                            .untilAsserted(() -> locks.acquire("name").release());
                });
    }

    /** What nothing locks with is not made. */
    static class Locking {

        Locking(LockTemplate locks) {
            assertThat(locks).isNotNull();
        }
    }
}
