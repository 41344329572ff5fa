/**
 * The playground application: an order service in which each order changes once at a time, however many instances run.
 */
@NullMarked
package io.distributionlock.playground;

import org.jspecify.annotations.NullMarked;
