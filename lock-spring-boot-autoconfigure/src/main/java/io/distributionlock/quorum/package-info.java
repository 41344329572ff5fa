/**
 * Locks over several independent Redis servers: what counts is what a majority of them, or all, agree on. The engine is that
 * of the other executors; here is the port that turns each of its commands into one to every server.
 */
@NullMarked
package io.distributionlock.quorum;

import org.jspecify.annotations.NullMarked;
