package io.distributionlock.benchmarks.workloads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class FairnessTest {

    @Test
    void equalSharesAreOne() {
        assertThat(Fairness.jain(new long[] {7, 7, 7})).isEqualTo(1);
    }

    @Test
    void allForOneOfFourIsAQuarter() {
        assertThat(Fairness.jain(new long[] {12, 0, 0, 0})).isEqualTo(0.25);
    }

    @Test
    void unequalSharesAreBetween() {
        assertThat(Fairness.jain(new long[] {1, 3})).isCloseTo(0.8, within(1e-9));
    }

    @Test
    void nothingToShareIsFair() {
        assertThat(Fairness.jain(new long[] {0, 0})).isEqualTo(1);
        assertThat(Fairness.smallestPart(new long[] {0, 0})).isZero();
    }

    @Test
    void theSmallestPartIsOfAll() {
        assertThat(Fairness.smallestPart(new long[] {30, 70})).isEqualTo(0.3);
    }
}
