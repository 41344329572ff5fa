package io.distributionlock.sample.cart;

import java.util.List;

/**
 * A checkout that has been done.
 *
 * @param checkouts how often the cart has been checked out by now
 * @param fencingTokens of the lock, as each of the nested steps saw it, as text because JavaScript does not count that far
 */
public record Checkout(String cart, int checkouts, List<String> fencingTokens) {}
