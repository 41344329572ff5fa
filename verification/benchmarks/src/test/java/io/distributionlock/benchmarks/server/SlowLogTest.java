package io.distributionlock.benchmarks.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SlowLogTest {

    @Test
    void theLongestCountsWithoutTheCoordinatorsOwn() {
        List<Object> entries =
                List.of(entry(3, 1_200, "EVALSHA"), entry(2, 90_000, "FLUSHALL"), entry(1, 2_500, "EVALSHA"));
        assertThat(SlowLog.longestMicros(entries)).isEqualTo(2_500);
    }

    @Test
    void nothingWasSlow() {
        assertThat(SlowLog.longestMicros(List.of())).isZero();
    }

    private static List<Object> entry(long number, long micros, String command) {
        return List.of(number, 1_795_272_000L, micros, List.of(command, "argument"), "127.0.0.1:4711", "");
    }
}
