package io.distributionlock.sample.showcase.queue;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** The time at which a visitor arrived. */
final class Arrival {

    private Arrival() {}

    /** In microseconds since 1970. */
    static long now() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    }
}
