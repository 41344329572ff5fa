/**
 * The state machine of one lock in one process: events in, decisions out. No I/O, no thread, no clock.
 */
@NullMarked
package io.distributionlock.state;

import org.jspecify.annotations.NullMarked;
