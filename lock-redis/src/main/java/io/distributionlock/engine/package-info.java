/**
 * Runs the locks of one process: brings events to their state machines and carries out the decisions.
 */
@NullMarked
package io.distributionlock.engine;

import org.jspecify.annotations.NullMarked;
