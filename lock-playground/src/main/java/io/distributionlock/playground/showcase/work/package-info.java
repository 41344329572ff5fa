/**
 * The simulated work of the scenarios.
 */
@NullMarked
package io.distributionlock.playground.showcase.work;

import org.jspecify.annotations.NullMarked;
