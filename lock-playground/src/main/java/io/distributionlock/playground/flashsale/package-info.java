/**
 * A flash sale: limited stock, one order per user.
 */
@NullMarked
package io.distributionlock.playground.flashsale;

import org.jspecify.annotations.NullMarked;
