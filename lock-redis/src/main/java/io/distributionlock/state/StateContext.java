package io.distributionlock.state;

import io.distributionlock.backend.EngineSettings;
import io.distributionlock.internal.Internal;
import java.util.function.LongSupplier;

/**
 * What the locks of one process share.
 *
 * @param pollMillis as {@link io.distributionlock.backend.CommandPort#pollMillis}
 * @hidden
 */
@Internal
public record StateContext(
        EngineSettings settings,
        ClaimIdGenerator claims,
        AnswerTimeout timeout,
        FastPathGate fastPathGate,
        LongSupplier pollMillis) {

    /** Whether no message notifies this process. */
    boolean polls() {
        return pollMillis.getAsLong() > 0;
    }

    /** The pause between two requests of a waiting claim. */
    long heartbeatNanos() {
        long heartbeat = settings.heartbeatNanos();
        return polls() ? Math.min(heartbeat, Times.nanos(pollMillis.getAsLong())) : heartbeat;
    }
}
