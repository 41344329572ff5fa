/**
 * The simulated work of the scenarios, and its log.
 */
@NullMarked
package io.distributionlock.sample.work;

import org.jspecify.annotations.NullMarked;
