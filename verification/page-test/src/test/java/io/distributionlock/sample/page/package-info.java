/**
 * The page of the sample, used as a visitor uses it.
 */
@NullMarked
package io.distributionlock.sample.page;

import org.jspecify.annotations.NullMarked;
