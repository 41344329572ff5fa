package io.distributionlock.observation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.distributionlock.LockKind;
import io.distributionlock.monitor.LockCounters;
import io.distributionlock.monitor.LockMonitor;
import io.distributionlock.monitor.LockSnapshot;
import io.micrometer.common.docs.KeyName;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Each number of an engine is shown by its own meter, under the documented name and tags. */
@org.junit.jupiter.api.Tag("boot4")
class EngineMetersTest {

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    @Test
    void eachNumberHasItsMeter() {
        LockCounters counters = mock(LockCounters.class);
        when(counters.busyAttempts()).thenReturn(11L);
        when(counters.backendFailures()).thenReturn(12L);
        when(counters.lostLeases()).thenReturn(13L);
        when(counters.renewals()).thenReturn(14L);
        when(counters.localHandovers()).thenReturn(15L);
        when(counters.remoteHandovers()).thenReturn(16L);
        when(counters.unconfirmedReleases()).thenReturn(17L);
        when(counters.droppedReleases()).thenReturn(18L);
        LockMonitor engine = mock(LockMonitor.class);
        when(engine.counters()).thenReturn(counters);
        when(engine.snapshot())
                .thenReturn(new LockSnapshot(
                        "here",
                        Collections.nCopies(
                                2,
                                new LockSnapshot.HeldLease(
                                        "order:1",
                                        "order",
                                        LockKind.REENTRANT,
                                        "main",
                                        Duration.ZERO,
                                        Duration.ZERO,
                                        true,
                                        1,
                                        "here:1")),
                        Collections.nCopies(
                                3,
                                new LockSnapshot.WaitingAttempt(
                                        "order:1", "order", LockKind.REENTRANT, "main", Duration.ZERO))));

        EngineMeters.bind(registry, "payments", engine);

        assertThat(values())
                .isEqualTo(new TreeMap<>(Map.of(
                        "distribution.lock.held", 2.0,
                        "distribution.lock.waiting", 3.0,
                        "distribution.lock.busy", 11.0,
                        "distribution.lock.backend.errors", 12.0,
                        "distribution.lock.leases.lost", 13.0,
                        "distribution.lock.renewals", 14.0,
                        "distribution.lock.handovers local", 15.0,
                        "distribution.lock.handovers remote", 16.0,
                        "distribution.lock.releases.unconfirmed", 17.0,
                        "distribution.lock.releases.dropped", 18.0)));
    }

    private Map<String, Double> values() {
        Map<String, Double> values = new TreeMap<>();
        for (Meter meter : registry.getMeters()) {
            LockMeter documented = Arrays.stream(LockMeter.values())
                    .filter(each -> each.getName().equals(meter.getId().getName()))
                    .findFirst()
                    .orElseThrow();
            assertThat(meter.getId().getType()).as(documented.getName()).isEqualTo(documented.getType());
            assertThat(meter.getId().getTags())
                    .extracting(Tag::getKey)
                    .containsExactlyInAnyOrderElementsOf(Arrays.stream(documented.getKeyNames())
                            .map(KeyName::asString)
                            .collect(Collectors.toList()));
            assertThat(meter.getId().getTag("executor")).isEqualTo("payments");
            String from = meter.getId().getTag("from");
            values.put(
                    meter.getId().getName() + (from == null ? "" : " " + from),
                    meter.measure().iterator().next().getValue());
        }
        return values;
    }
}
