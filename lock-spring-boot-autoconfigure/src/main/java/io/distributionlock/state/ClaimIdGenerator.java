package io.distributionlock.state;

import io.distributionlock.LockKind;
import io.distributionlock.internal.Internal;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Generates the claim ids of one process: {@code <instance>:<number>}, {@code <instance>:r<number>} for readers, and
 * {@code <instance>:p<permits>-<number>} for permits. No id is ever reused, so that a command that runs late or twice cannot affect a
 * later claim.
 *
 * @hidden
 */
@Internal
public final class ClaimIdGenerator {

    private final String exclusive;
    private final String reading;
    private final String permitted;
    private final AtomicLong number = new AtomicLong();

    public ClaimIdGenerator(String instance) {
        this.exclusive = instance + ":";
        this.reading = instance + ":r";
        this.permitted = instance + ":p";
    }

    /** @param permits how many there are, if that is the kind */
    Claim next(LockKind kind, int permits) {
        String beginning = switch (kind) {
            case REENTRANT, FAIR, WRITE -> exclusive;
            case READ -> reading;
            case PERMIT -> permitted + permits + "-";
        };
        return new Claim(beginning, number.incrementAndGet());
    }
}
