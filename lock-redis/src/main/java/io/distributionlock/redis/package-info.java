/**
 * The engine's commands on one Redis: key layout, Lua scripts, and the channel that wakes waiters.
 */
@NullMarked
package io.distributionlock.redis;

import org.jspecify.annotations.NullMarked;
