package io.distributionlock.sample.order;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * {@code sample.order.*}.
 *
 * @param workTime how long a change takes
 * @param busyMessage the answer if the lock cannot be acquired in time: a text, or the code of a message
 */
@ConfigurationProperties("sample.order")
record OrderProperties(
        @DefaultValue("3s") Duration workTime,
        @DefaultValue("busy") String busyMessage) {

    OrderProperties {
        if (workTime.isNegative()) {
            throw new IllegalArgumentException(
                    "sample.order.work-time is " + workTime + ", but must not be negative: give it as 3s, 500ms or 0");
        }
    }
}
