/**
 * Places that are given out in the order of arrival.
 */
@NullMarked
package io.distributionlock.playground.queue;

import org.jspecify.annotations.NullMarked;
