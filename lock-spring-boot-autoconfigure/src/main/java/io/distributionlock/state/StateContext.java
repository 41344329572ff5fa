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
        EngineSettings settings, ClaimIdGenerator claims, AnswerTimeout timeout, LongSupplier maxPollMillis) {

    /** For processes that are notified of grants. */
    public StateContext(EngineSettings settings, ClaimIdGenerator claims, AnswerTimeout timeout) {
        this(settings, claims, timeout, () -> 0);
    }
}
