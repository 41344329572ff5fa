/**
 * Orders and the change of their status, which runs once at a time per order.
 */
@NullMarked
package io.distributionlock.sample.order;

import org.jspecify.annotations.NullMarked;
