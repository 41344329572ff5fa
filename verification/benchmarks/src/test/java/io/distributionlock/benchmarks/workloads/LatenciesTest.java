package io.distributionlock.benchmarks.workloads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class LatenciesTest {

    @Test
    void survivesTheWayToTheCoordinator() {
        Latencies sent = new Latencies();
        for (int i = 1; i <= 100; i++) {
            sent.record(i * 1_000_000L);
        }
        Latencies received = Latencies.decode(sent.encode());
        assertThat(received.count()).isEqualTo(100);
        assertThat(received.micros(50)).isCloseTo(50_000, within(500.0));
        assertThat(received.mostMicros()).isCloseTo(100_000, within(1_000.0));
    }

    @Test
    void nothingRecordedIsZero() {
        assertThat(Latencies.decode(new Latencies().encode()).micros(99)).isZero();
    }
}
