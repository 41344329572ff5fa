/**
 * The page of the playground, used as a visitor uses it.
 */
@NullMarked
package io.distributionlock.playground.page;

import org.jspecify.annotations.NullMarked;
