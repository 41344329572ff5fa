package io.distributionlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("server")
@Tag("boot4")
class RedisPortSettingsTest {

    @Test
    void theDefaultsAreThoseOfTheProtocol() {
        RedisPortSettings settings = RedisPortSettings.of("distribution-lock", "host-1-x");
        assertThat(settings.grantLease()).isEqualTo(Duration.ofSeconds(3));
        assertThat(settings.channelPrefix()).isEqualTo("distribution-lock:wake:");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "a{b", "a}b", "a\nb", "a*", "a?", "a[b]", "a\\b", "a^b", "a b", "ä", "a%"})
    void anUnusableKeyPrefixIsRefusedByItsProperty(String prefix) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RedisPortSettings.of(prefix, "host-1-x"))
                .withMessageContaining("distribution-lock.redis.key-prefix");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "a\nb"})
    void anUnusableInstanceIsRefused(String instance) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RedisPortSettings.of("p", instance))
                .withMessageContaining("instance");
    }
}
