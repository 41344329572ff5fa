/**
 * Orders, whose status changes once at a time per order. This is the order application of {@code lock-sample-app} once more, because
 * the page needs it in two languages, with a log of who worked when, and with the tables of the other scenarios.
 */
@NullMarked
package io.distributionlock.playground.order;

import org.jspecify.annotations.NullMarked;
