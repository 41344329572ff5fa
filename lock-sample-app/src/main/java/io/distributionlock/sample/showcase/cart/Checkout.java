package io.distributionlock.sample.showcase.cart;

import java.util.List;

/**
 * A completed checkout.
 *
 * @param checkouts how often the cart has been checked out so far
 * @param fencingTokens the fencing token that each nested step saw; text, because it exceeds JavaScript numbers
 */
public record Checkout(String cart, int checkouts, List<String> fencingTokens) {}
