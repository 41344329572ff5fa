package io.distributionlock.playground.order;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * {@code playground.order.*}.
 *
 * @param workTime how long a change takes
 * @param busyMessage the answer if the lock cannot be acquired in time: a text, or the code of a message
 */
@ConfigurationProperties("playground.order")
record OrderProperties(
        @DefaultValue("3s") Duration workTime,
        @DefaultValue("busy") String busyMessage) {

    OrderProperties {
        if (workTime.isNegative()) {
            throw new IllegalArgumentException("playground.order.work-time is " + workTime
                    + ", but must not be negative: give it as 3s, 500ms or 0");
        }
    }
}
