/**
 * The Redis that comes with the sample, for those who have none at hand.
 */
@NullMarked
package io.distributionlock.sample.embedded;

import org.jspecify.annotations.NullMarked;
