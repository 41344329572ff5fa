/**
 * The Redis that comes with the sample.
 */
@NullMarked
package io.distributionlock.sample.embedded;

import org.jspecify.annotations.NullMarked;
