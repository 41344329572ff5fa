package io.distributionlock.test;

import static io.distributionlock.test.LockAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributionlock.Lease;
import io.distributionlock.LockExecutor;
import io.distributionlock.LockTemplate;
import io.distributionlock.local.LocalLockExecutor;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Configuration;

@Tag("boot4")
@SpringBootTest
@LocalLocks
class LocalLocksTest {

    @Autowired
    LockExecutor executor;

    @Autowired
    LockTemplate locks;

    @Test
    void locksAreKeptInThisProcess() {
        assertThat(executor).isInstanceOf(LocalLockExecutor.class);
        try (Lease lease = locks.acquire("name")) {
            assertThat(lease).isValid().hasName("name");
            assertThat(locks.lock("name").isLocked()).isTrue();
        }
    }

    @Test
    void bothAnnotationsOnOneClassAreRefused() {
        assertThatThrownBy(() -> new TestLocksCustomizerFactory().createContextCustomizer(Both.class, List.of()))
                .hasMessageContaining("take @LocalLocks away");
    }

    @Test
    void aClassWithoutTheAnnotationsIsLeftAlone() {
        assertThat(new TestLocksCustomizerFactory().createContextCustomizer(String.class, List.of()))
                .isNull();
    }

    @LocalLocks
    @ScriptedLocks
    static class Both {}

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}
}
