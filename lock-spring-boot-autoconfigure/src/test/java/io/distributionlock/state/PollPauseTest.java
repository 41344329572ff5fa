package io.distributionlock.state;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PollPauseTest {

    private static final long HEARTBEAT = Times.nanos(1_000);

    private static long pause(long longestMillis, long unchangedMillis) {
        return PollPause.nanos(HEARTBEAT, Times.nanos(longestMillis), Times.nanos(unchangedMillis));
    }

    @Test
    void aPauseLastsAQuarterOfTheTimeSinceTheLockChangedHandsAtMost() {
        for (long unchanged = 100; unchanged < 4_000; unchanged += 37) {
            assertThat(pause(1_000, unchanged))
                    .isGreaterThan(Times.nanos(unchanged) / 8)
                    .isLessThanOrEqualTo(Times.nanos(unchanged) / 4);
        }
    }

    @Test
    void itHasItsBounds() {
        assertThat(pause(1_000, 0)).isBetween(Times.nanos(5), Times.nanos(10));
        assertThat(pause(1_000, 100_000)).isEqualTo(HEARTBEAT);
        assertThat(pause(100, 100_000)).isBetween(Times.nanos(50), Times.nanos(100));
        assertThat(pause(10, 100_000)).isBetween(Times.nanos(5), Times.nanos(10));
    }

    @Test
    void theMomentsOfALongPauseAreAmongThoseOfAShortOne() {
        for (long unchanged = 1; unchanged < 10_000; unchanged *= 2) {
            assertThat(HEARTBEAT % pause(1_000, unchanged)).isZero();
        }
    }
}
