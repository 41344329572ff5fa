/**
 * A catalogue with many readers and few writers.
 */
@NullMarked
package io.distributionlock.playground.showcase.catalogue;

import org.jspecify.annotations.NullMarked;
