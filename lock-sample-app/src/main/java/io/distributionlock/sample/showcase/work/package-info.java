/**
 * The simulated work of the scenarios.
 */
@NullMarked
package io.distributionlock.sample.showcase.work;

import org.jspecify.annotations.NullMarked;
