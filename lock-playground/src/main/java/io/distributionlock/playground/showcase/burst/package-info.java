/**
 * Many requests at once, to all instances.
 */
@NullMarked
package io.distributionlock.playground.showcase.burst;

import org.jspecify.annotations.NullMarked;
