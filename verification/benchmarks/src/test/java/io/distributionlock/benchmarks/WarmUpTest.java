package io.distributionlock.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WarmUpTest {

    private final WarmUp warmUp = new WarmUp();

    @Test
    void goesOnWhileTheThroughputGrows() {
        for (int round = 1; round <= 9; round++) {
            warmUp.ran(1_000 * round);
            assertThat(warmUp.isOver()).isFalse();
        }
    }

    @Test
    void endsAfterThreeRoundsWithoutGrowth() {
        warmUp.ran(1_000);
        warmUp.ran(1_010);
        warmUp.ran(900);
        assertThat(warmUp.isOver()).isFalse();
        warmUp.ran(1_020);
        assertThat(warmUp.isOver()).isTrue();
    }

    @Test
    void endsEvenIfTheThroughputNeverStopsGrowing() {
        for (int round = 1; round <= 10; round++) {
            warmUp.ran(1_000 * round);
        }
        assertThat(warmUp.isOver()).isTrue();
    }
}
