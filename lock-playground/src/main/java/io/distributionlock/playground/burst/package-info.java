/**
 * Many requests at once, to all instances.
 */
@NullMarked
package io.distributionlock.playground.burst;

import org.jspecify.annotations.NullMarked;
