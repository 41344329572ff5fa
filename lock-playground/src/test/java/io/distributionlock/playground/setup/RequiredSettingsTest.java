package io.distributionlock.playground.setup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributionlock.playground.PlaygroundApplication;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Outside of the profile dev, nothing is taken silently. */
@ExtendWith(OutputCaptureExtension.class)
class RequiredSettingsTest {

    private static final String DATABASE = "--spring.datasource.url=jdbc:h2:mem:required-settings";
    private static final String REDIS = "--spring.data.redis.host=127.0.0.1";

    @Test
    void withoutSettingsTheStartIsRefusedWithoutAStackTrace(CapturedOutput output) {
        assertThatThrownBy(() -> start()).isInstanceOf(MissingSettingsException.class);

        assertThat(output)
                .contains("APPLICATION FAILED TO START", "No Redis is configured", "No database is configured")
                .contains("spring.data.redis.host", "distribution-lock.executor=local", "spring.datasource.url")
                .doesNotContain("\tat ");
    }

    @ParameterizedTest
    @CsvSource({DATABASE + ",Redis", REDIS + ",database"})
    void onlyWhatIsMissingIsNamed(String set, String missing) {
        assertThatThrownBy(() -> start(set))
                .hasMessageStartingWith("No " + missing)
                .message()
                .hasLineCount(1);
    }

    @Test
    void aBlankPlaceIsNone() {
        assertThatThrownBy(() -> start(DATABASE, "--spring.data.redis.host= ")).hasMessageStartingWith("No Redis");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                REDIS,
                "--spring.data.redis.url=redis://127.0.0.1",
                "--spring.data.redis.cluster.nodes=127.0.0.1:1",
                "--spring.data.redis.sentinel.nodes=127.0.0.1:1",
                "--distribution-lock.executor=local"
            })
    void anyOfTheseIsEnough(String place) {
        assertThatThrownBy(() -> start(place))
                .isInstanceOf(MissingSettingsException.class)
                .hasMessageStartingWith("No database");
    }

    private static void start(String... arguments) {
        PlaygroundApplication.main(arguments);
    }
}
