/**
 * Orders, whose status changes once at a time per order.
 */
@NullMarked
package io.distributionlock.playground.order;

import org.jspecify.annotations.NullMarked;
