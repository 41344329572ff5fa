package io.distributionlock.state;

import io.distributionlock.backend.EngineSettings;
import io.distributionlock.internal.Internal;

/**
 * What the locks of one process share.
 *
 * @hidden
 */
@Internal
public record StateContext(EngineSettings settings, ClaimIdGenerator claims, AnswerTimeout timeout) {}
