/**
 * Many requests at once, at every instance.
 */
@NullMarked
package io.distributionlock.sample.burst;

import org.jspecify.annotations.NullMarked;
