/**
 * A checkout of three nested steps, each of which locks the cart.
 */
@NullMarked
package io.distributionlock.sample.showcase.cart;

import org.jspecify.annotations.NullMarked;
