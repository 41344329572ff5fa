package io.distributionlock.benchmarks.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.benchmarks.server.Network.RoundTrip;
import java.util.PrimitiveIterator;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

/** What the network makes of a machine that is more or less busy. */
class NetworkTest {

    /** The round trip of a millisecond, if the machine adds so much to one after the other. */
    private static double set(DoubleStream added) {
        PrimitiveIterator.OfDouble next = added.iterator();
        return Network.set(1, eachWay -> new RoundTrip(2 * eachWay + next.nextDouble(), 0, 0))
                .median();
    }

    @Test
    void whatTheMachineAddsIsTakenFromTheDelay() {
        assertThat(set(DoubleStream.generate(() -> .3))).isBetween(.95, 1.05);
    }

    @Test
    void aRoundTripIsNotLeftTooShortWhenTheMachineBecomesQuiet() {
        DoubleStream moreOrLess =
                DoubleStream.iterate(.1, before -> .6 - before).limit(12);
        assertThat(set(DoubleStream.concat(moreOrLess, DoubleStream.generate(() -> .1))))
                .isBetween(.95, 1.05);
    }

    @Test
    void whatAMachineAddsThatStaysTooBusyIsAccepted() {
        assertThat(set(DoubleStream.generate(() -> 3))).isEqualTo(3);
    }
}
