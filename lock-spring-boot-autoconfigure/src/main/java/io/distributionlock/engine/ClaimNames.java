package io.distributionlock.engine;

import io.distributionlock.LockKind;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Makes the ids of one process's claims: {@code <instance>:<number>}, and {@code <instance>:r<number>} for those that ask to read.
 * None is ever used again, so that a command that runs late or twice cannot touch what came after it.
 */
final class ClaimNames {

    private final String exclusive;
    private final String reading;
    private final AtomicLong number = new AtomicLong();

    ClaimNames(String instance) {
        this.exclusive = instance + ":";
        this.reading = instance + ":r";
    }

    String next(LockKind kind) {
        return (kind.isExclusive() ? exclusive : reading) + number.incrementAndGet();
    }
}
