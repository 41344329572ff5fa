/**
 * The engine's commands on Redis: key layout, Lua scripts and the channel that wakes waiters.
 */
@NullMarked
package io.distributionlock.redis;

import org.jspecify.annotations.NullMarked;
