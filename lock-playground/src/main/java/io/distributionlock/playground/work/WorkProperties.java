package io.distributionlock.playground.work;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * {@code playground.work.*}.
 *
 * @param time how long a step of a scenario takes
 */
@ConfigurationProperties("playground.work")
record WorkProperties(@DefaultValue("20ms") Duration time) {

    WorkProperties {
        if (time.isNegative()) {
            throw new IllegalArgumentException(
                    "playground.work.time is " + time + ", but must not be negative: give it as 20ms, 1s or 0");
        }
    }
}
