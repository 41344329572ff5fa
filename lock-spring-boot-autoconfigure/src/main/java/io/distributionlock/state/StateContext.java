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
        LongSupplier maxPollMillis) {}
