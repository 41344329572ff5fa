/**
 * Places that are given out in the order of arrival.
 */
@NullMarked
package io.distributionlock.playground.showcase.queue;

import org.jspecify.annotations.NullMarked;
