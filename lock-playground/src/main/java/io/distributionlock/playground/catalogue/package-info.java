/**
 * A catalogue with many readers and few writers.
 */
@NullMarked
package io.distributionlock.playground.catalogue;

import org.jspecify.annotations.NullMarked;
