/**
 * The lock of one process: who holds, who waits, what is sent next. No Spring, no Redis and no clock of its own.
 */
@NullMarked
package io.distributionlock.engine;

import org.jspecify.annotations.NullMarked;
