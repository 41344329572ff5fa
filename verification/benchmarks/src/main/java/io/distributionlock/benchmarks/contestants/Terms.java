package io.distributionlock.benchmarks.contestants;

import java.time.Duration;

/**
 * What is the same for all contestants.
 *
 * @param redis where it is
 * @param lease how long a lock outlives its holder, renewed or not
 * @param patience how long an attempt waits for its turn
 * @param answer how long a client waits for an answer of Redis; Redisson at least for its default
 */
public record Terms(Address redis, Duration lease, Duration patience, Duration answer) {}
