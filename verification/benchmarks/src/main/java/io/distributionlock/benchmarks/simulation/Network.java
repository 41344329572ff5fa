package io.distributionlock.benchmarks.simulation;

import java.time.Duration;
import java.util.Random;

/** Delays between machines: most of each is fixed, a tenth of it on average is a random tail. */
final class Network {

    private static final double FIXED_SHARE = 0.9;

    private final Events events;
    private final Random random;
    private final double oneWayNanos;

    Network(Events events, Random random, Duration roundTrip) {
        this.events = events;
        this.random = random;
        this.oneWayNanos = roundTrip.toNanos() / 2.0;
    }

    private long delayNanos() {
        double tail = -Math.log(1 - random.nextDouble()) * (1 - FIXED_SHARE);
        return Math.round(oneWayNanos * (FIXED_SHARE + tail));
    }

    /** One direction of a connection. */
    Way way() {
        return new Way();
    }

    /** What is sent by the same way arrives in the order of its sending. */
    final class Way {

        private long lastArrival;

        void send(Runnable arrival) {
            lastArrival = Math.max(lastArrival, events.now() + delayNanos());
            events.at(lastArrival, arrival);
        }
    }
}
