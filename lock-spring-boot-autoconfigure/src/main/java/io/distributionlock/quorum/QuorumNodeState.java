package io.distributionlock.quorum;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What is known of one node at present.
 *
 * @param label by what people know it
 * @param reachable whether its latest command was answered in time
 * @param sinceAnswer how long ago it answered last, {@code null} if it never did
 * @param failure why it is not reachable, {@code null} if it is or if that is not known yet
 */
public record QuorumNodeState(
        String label,
        boolean reachable,
        @Nullable Duration sinceAnswer,
        @Nullable Throwable failure) {}
