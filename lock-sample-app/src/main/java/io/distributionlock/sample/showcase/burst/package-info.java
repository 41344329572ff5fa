/**
 * Many requests at once, to all instances.
 */
@NullMarked
package io.distributionlock.sample.showcase.burst;

import org.jspecify.annotations.NullMarked;
