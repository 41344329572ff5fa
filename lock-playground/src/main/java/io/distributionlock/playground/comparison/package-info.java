/**
 * The same code without its lock, for comparison.
 */
@NullMarked
package io.distributionlock.playground.comparison;

import org.jspecify.annotations.NullMarked;
