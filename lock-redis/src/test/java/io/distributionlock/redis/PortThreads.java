package io.distributionlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Set;

/** The threads of ports, beside those that there were before. */
final class PortThreads {

    private final Set<Thread> before = Thread.getAllStackTraces().keySet();

    void assertNoneLeft() {
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
                        .noneMatch(thread ->
                                !before.contains(thread) && thread.getName().startsWith("distribution-lock-")));
    }
}
