package io.distributionlock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.distributionlock.Lease;
import io.distributionlock.LockBackendException;
import io.distributionlock.LockTemplate;
import io.distributionlock.ReleaseResult;
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
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Certificates that change while an application runs. What is wrong with them shows when it connects anew. */
@Tag("boot4")
@ExtendWith(OutputCaptureExtension.class)
class ChangedCertificatesTest {

    private static final Duration LONG = Duration.ofSeconds(30);

    @TempDir
    static Path folder;

    private static TestCertificate good;
    private static TestCertificate other;
    private static TestCertificate expired;
    private static TestCertificate ofServer;
    private static TestCertificate trustedByServer;
    private static TestCertificate ofClient;
    private static TlsRedis redis;

    @BeforeAll
    static void startRedis() throws Exception {
        good = TestCertificate.createIn(folder, "good");
        other = TestCertificate.createIn(folder, "other");
        expired = good.signExpired("expired");
        ofServer = TestCertificate.createIn(folder, "server");
        trustedByServer = TestCertificate.createIn(folder, "trusted");
        ofClient = TestCertificate.createIn(folder, "client");
        ofServer.become(good);
        trustedByServer.become(good);
        redis = TlsRedis.start(ofServer, trustedByServer, "--tls-auth-clients", "yes");
    }

    @AfterAll
    static void stopRedis() {
        redis.close();
    }

    @BeforeEach
    void beginWithTheGoodOne() throws Exception {
        ofClient.become(good);
        serverHas(good, good);
    }

    private static void serverHas(TestCertificate own, TestCertificate trusted) throws Exception {
        ofServer.become(own);
        trustedByServer.become(trusted);
        redis.readCertificates();
        redis.cutClients();
    }

    private static ApplicationContextRunner application(String... properties) {
        return LockContextRunner.redis(redis.tlsPort())
                .withConfiguration(AutoConfigurations.of(SslAutoConfiguration.class))
                .withPropertyValues(
                        "spring.data.redis.ssl.bundle=redis",
                        "spring.ssl.bundle.pem.redis.truststore.certificate="
                                + ofClient.certificate().toUri(),
                        "spring.ssl.bundle.pem.redis.keystore.certificate="
                                + ofClient.certificate().toUri(),
                        "spring.ssl.bundle.pem.redis.keystore.private-key="
                                + ofClient.key().toUri(),
                        "spring.data.redis.lettuce.shutdown-timeout=0",
                        "distribution-lock.redis.command-timeout=5s",
                        "distribution-lock.defaults.try-lock-time=6s",
                        "distribution-lock.shutdown.timeout=0s")
                .withPropertyValues(properties);
    }

    private static void firstLock(LockTemplate locks) {
        await().atMost(LONG)
                .ignoreExceptions()
                .untilAsserted(() -> locks.acquire("first").release());
    }

    /** The reason is known as soon as a second connection has failed of it, which a busy machine may not manage within one attempt. */
    private static void assertRefused(LockTemplate locks, String... reasons) {
        await().atMost(LONG)
                .untilAsserted(
                        () -> assertThatThrownBy(() -> locks.acquire("refused").release())
                                .isInstanceOf(LockBackendException.class)
                                .hasMessageNotContaining("Check that Redis is running")
                                .hasMessageContainingAll(reasons));
    }

    @Test
    void aServerThatChangesItsCaIsNotTrustedUntilItChangesBack(CapturedOutput output) {
        application().run(context -> {
            LockTemplate locks = context.getBean(LockTemplate.class);
            firstLock(locks);
            Lease held = locks.acquire("held");
            serverHas(other, good);
            assertRefused(
                    locks,
                    "The application does not trust the certificate of Redis",
                    "spring.data.redis.ssl.bundle",
                    "restart");
            assertThat(output).contains("are out of service");
            serverHas(good, good);
            firstLock(locks);
            assertThat(held.release()).isEqualTo(ReleaseResult.RELEASED);
        });
    }

    /** Its pool finds out connection by connection that they are cut. */
    @Test
    void withJedisTheReasonIsToldToo() {
        application("spring.data.redis.client-type=jedis").run(context -> {
            LockTemplate locks = context.getBean(LockTemplate.class);
            firstLock(locks);
            serverHas(other, good);
            assertRefused(locks, "The application does not trust the certificate of Redis");
            serverHas(good, good);
            firstLock(locks);
        });
    }

    @Test
    void ofAnExpiredCertificateTheDateIsTold() {
        application().run(context -> {
            LockTemplate locks = context.getBean(LockTemplate.class);
            firstLock(locks);
            serverHas(expired, good);
            assertRefused(locks, "The certificate of Redis is not valid at this date", "NotAfter");
            serverHas(good, good);
            firstLock(locks);
        });
    }

    @Test
    void aClientThatIsNotTrustedAnyMoreIsToldSo() {
        application().run(context -> {
            LockTemplate locks = context.getBean(LockTemplate.class);
            firstLock(locks);
            serverHas(good, other);
            assertRefused(locks, "Redis refuses the certificate of the application", "spring.data.redis.ssl.bundle");
            serverHas(good, good);
            firstLock(locks);
        });
    }

    /** As the page says: Spring Boot reads the bundle of its own connections once. */
    @Test
    void aBundleThatIsUpdatedIsReadByTheNextStart() throws Exception {
        application(
                        "spring.ssl.bundle.pem.redis.reload-on-update=true",
                        "spring.ssl.bundle.watch.file.quiet-period=100ms")
                .run(context -> {
                    LockTemplate locks = context.getBean(LockTemplate.class);
                    firstLock(locks);
                    ofClient.become(other);
                    serverHas(other, other);
                    assertRefused(locks, "restart the application");
                });
        application().run(context -> firstLock(context.getBean(LockTemplate.class)));
    }
}
