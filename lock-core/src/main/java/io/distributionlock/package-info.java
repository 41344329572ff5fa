/**
 * The programmatic API: {@link io.distributionlock.LockTemplate}, {@link io.distributionlock.Lease} and the
 * {@link io.distributionlock.LockExecutor} behind them. Independent of Redis, aspects and Spring Boot.
 */
@NullMarked
package io.distributionlock;

import org.jspecify.annotations.NullMarked;
