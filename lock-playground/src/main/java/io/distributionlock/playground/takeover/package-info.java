/**
 * A holder is killed at work: its lock expires, and the next one goes on.
 */
@NullMarked
package io.distributionlock.playground.takeover;

import org.jspecify.annotations.NullMarked;
