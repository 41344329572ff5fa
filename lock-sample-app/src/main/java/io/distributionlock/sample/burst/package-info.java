/**
 * Many requests at once, to all instances.
 */
@NullMarked
package io.distributionlock.sample.burst;

import org.jspecify.annotations.NullMarked;
