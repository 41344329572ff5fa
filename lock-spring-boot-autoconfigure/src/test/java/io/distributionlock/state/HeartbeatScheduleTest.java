package io.distributionlock.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.backend.CommandPort;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class HeartbeatScheduleTest {

    private static final long INTERVAL = Times.nanos(1_000);
    private static final long NOW = Times.nanos(60_000);

    private final HeartbeatSchedule schedule = new HeartbeatSchedule("name", INTERVAL);

    /** How many of the attempts with these numbers have their next heartbeat at which moment. */
    private Map<Long, Long> moments(LongStream arrivals) {
        return arrivals.mapToObj(arrival -> new HeartbeatSchedule.Place(schedule, arrival).next(NOW, NOW, INTERVAL))
                .collect(Collectors.groupingBy(Function.identity(), TreeMap::new, Collectors.counting()));
    }

    @Test
    void attemptsThatFitIntoOneCommandHaveOneMoment() {
        schedule.present(CommandPort.MOST_BIDDINGS);
        assertThat(moments(LongStream.range(4_900, 4_900 + CommandPort.MOST_BIDDINGS)))
                .hasSize(1);
    }

    @Test
    void tenThousandAttemptsHaveTenMomentsSpreadEvenlyOverTheInterval() {
        schedule.present(10_000);
        TreeMap<Long, Long> moments = new TreeMap<>(moments(LongStream.range(0, 10_000)));
        assertThat(moments).hasSize(10);
        assertThat(moments.values()).containsOnly((long) CommandPort.MOST_BIDDINGS);
        assertThat(moments.firstKey()).isGreaterThan(NOW);
        assertThat(moments.lastKey()).isLessThanOrEqualTo(NOW + INTERVAL);
        moments.keySet().stream().reduce((earlier, later) -> {
            assertThat(later - earlier).isEqualTo(INTERVAL / 10);
            return later;
        });
    }

    @Test
    void thoseFarBehindInACommandAreLookedForInTurn() {
        for (int heartbeats = 0; heartbeats < 20; heartbeats++) {
            int beat = heartbeats;
            assertThat(LongStream.range(3_000, 3_000 + CommandPort.MOST_BIDDINGS)
                            .filter(arrival -> new HeartbeatSchedule.Place(schedule, arrival).isTurnToLook(beat)))
                    .hasSize(CommandPort.MOST_BIDDINGS / 8);
        }
    }

    @Test
    void thoseLeftOfManyHaveOneMomentAgain() {
        schedule.present(200);
        assertThat(moments(LongStream.range(0, 200).map(number -> 50 * number))).hasSize(1);
    }

    @Test
    void nobodyPausesForLongerThanAnIntervalWhenTheMomentsChange() {
        for (int present : new int[] {1, 300, 10_000, 700}) {
            schedule.present(present);
            for (long arrival = 0; arrival < 10_000; arrival += 77) {
                assertThat(new HeartbeatSchedule.Place(schedule, arrival).next(NOW, NOW, INTERVAL))
                        .isBetween(NOW + 1, NOW + INTERVAL);
            }
        }
    }
}
