package io.distributionlock.benchmarks.micro;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.distributionlock.benchmarks.measurement.Measurement;
import java.util.List;
import org.junit.jupiter.api.Test;

class MicroBenchmarksTest {

    @Test
    void reentryCostsNoCommand() {
        ReentryBenchmark benchmark = new ReentryBenchmark();
        benchmark.takeLocks();
        assertThat(benchmark.commands()).isEqualTo(1);

        for (int i = 0; i < 1_000; i++) {
            benchmark.execute();
            benchmark.acquireAndRelease();
        }

        assertThat(benchmark.commands()).isEqualTo(1);
        benchmark.giveLocksBack();
        assertThat(benchmark.commands()).isEqualTo(2);
    }

    @Test
    void namesAreThoseOfTheirArguments() {
        KeyBuildingBenchmark benchmark = new KeyBuildingBenchmark();

        assertThat(benchmark.oneParameter())
                .containsExactly("updateOrderStatus:A1001")
                .isEqualTo(benchmark.oneParameterByHand());
        assertThat(benchmark.threeParameters()).containsExactly("updateOrderStatus:A1001:4711:2");
        assertThat(benchmark.pathToComponent()).containsExactly("updateOrderStatus:A1001");
        assertThat(benchmark.pathOfTwoSteps()).containsExactly("updateOrderStatus:4711");
        assertThat(benchmark.expression()).containsExactly("updateOrderStatus:A1001");
        benchmark.close();
    }

    /** Bytes do not depend on how busy the machine is. Before it is compiled, a call allocates more than after. */
    @Test
    void tellsTimeAndBytesOfEachRound() {
        List<Measurement> measured = MicroBenchmarks.run(new MicroOptions(0, 2, 1, 100, "AspectBenchmark.bareCall$"));

        assertThat(measured).extracting(Measurement::metric).containsExactly("time", "allocated");
        assertThat(measured).allSatisfy(each -> {
            assertThat(each.workload()).isEqualTo("aspect overhead");
            assertThat(each.variant()).isEqualTo("blocking method");
            assertThat(each.contestant()).isEqualTo("bare call");
            assertThat(each.round()).isEqualTo(1);
        });
        assertThat(measured.get(1).value()).isCloseTo(0, within(100.0));
    }
}
