/**
 * A flash sale: limited stock, one order per user.
 */
@NullMarked
package io.distributionlock.playground.showcase.flashsale;

import org.jspecify.annotations.NullMarked;
