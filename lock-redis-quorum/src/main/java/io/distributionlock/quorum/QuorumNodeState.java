package io.distributionlock.quorum;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The last known state of one quorum node.
 *
 * @param label the label from the configuration
 * @param reachable whether the latest command was answered in time
 * @param sinceAnswer the time since the last answer; {@code null} before the first
 * @param failure why the node is not reachable; {@code null} if it is, or if the cause is not known yet
 */
public record QuorumNodeState(
        String label,
        boolean reachable,
        @Nullable Duration sinceAnswer,
        @Nullable Throwable failure) {}
