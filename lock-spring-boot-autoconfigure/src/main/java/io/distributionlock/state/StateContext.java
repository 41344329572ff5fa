package io.distributionlock.state;

import io.distributionlock.backend.EngineSettings;
import io.distributionlock.internal.Internal;
import java.util.function.LongSupplier;

/**
 * What the locks of one process share.
 *
 * @param maxPollMillis as {@link io.distributionlock.backend.CommandPort#maxPollMillis}
 * @hidden
 */
@Internal
public record StateContext(
        EngineSettings settings,
        ClaimIdGenerator claims,
        AnswerTimeout timeout,
        ConnectionTrust trust,
        LongSupplier maxPollMillis) {

    /** Whether no message notifies this process. */
    boolean polls() {
        return maxPollMillis.getAsLong() > 0;
    }

    /** @param unchanged for how long the lock has not changed hands */
    long heartbeatNanos(long unchanged) {
        long heartbeat = settings.heartbeatNanos();
        return polls() ? PollPause.nanos(heartbeat, Times.nanos(maxPollMillis.getAsLong()), unchanged) : heartbeat;
    }
}
