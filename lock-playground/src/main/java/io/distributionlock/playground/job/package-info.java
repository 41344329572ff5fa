/**
 * A scheduled job that runs on one instance per turn.
 */
@NullMarked
package io.distributionlock.playground.job;

import org.jspecify.annotations.NullMarked;
