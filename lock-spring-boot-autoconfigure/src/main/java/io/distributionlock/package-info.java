/**
 * The lock as a programmer meets it: {@link io.distributionlock.LockTemplate}, {@link io.distributionlock.Lease} and the
 * {@link io.distributionlock.LockExecutor} behind them. Knows nothing of Redis, aspects or Spring Boot.
 */
@NullMarked
package io.distributionlock;

import org.jspecify.annotations.NullMarked;
