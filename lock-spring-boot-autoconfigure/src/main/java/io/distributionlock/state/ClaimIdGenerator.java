package io.distributionlock.state;

import io.distributionlock.LockKind;
import io.distributionlock.internal.Internal;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Generates the claim ids of one process: {@code <instance>:<number>}, and {@code <instance>:r<number>} for readers. No id is ever
 * reused, so that a command that runs late or twice cannot affect a later claim.
 *
 * @hidden
 */
@Internal
public final class ClaimIdGenerator {

    private final String exclusive;
    private final String reading;
    private final AtomicLong number = new AtomicLong();

    public ClaimIdGenerator(String instance) {
        this.exclusive = instance + ":";
        this.reading = instance + ":r";
    }

    Claim next(LockKind kind) {
        return new Claim(kind.isExclusive() ? exclusive : reading, number.incrementAndGet());
    }
}
