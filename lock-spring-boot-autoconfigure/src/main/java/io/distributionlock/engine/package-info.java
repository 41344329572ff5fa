/**
 * The locks of one process: their holders and waiters, and the commands to send. Without Spring, Redis, or a clock of its own.
 */
@NullMarked
package io.distributionlock.engine;

import org.jspecify.annotations.NullMarked;
