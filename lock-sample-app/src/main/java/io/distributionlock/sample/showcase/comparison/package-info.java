/**
 * The same code without its lock, for comparison.
 */
@NullMarked
package io.distributionlock.sample.showcase.comparison;

import org.jspecify.annotations.NullMarked;
