/**
 * The simulated work of the scenarios, and a log of who did it when.
 */
@NullMarked
package io.distributionlock.playground.work;

import org.jspecify.annotations.NullMarked;
