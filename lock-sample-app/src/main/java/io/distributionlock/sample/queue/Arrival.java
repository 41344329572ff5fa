package io.distributionlock.sample.queue;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** When somebody arrived. */
final class Arrival {

    private Arrival() {}

    /** In microseconds since 1970. */
    static long now() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    }
}
