package io.distributionlock.playground.flashsale;

/**
 * A purchase.
 *
 * @param item the item
 * @param userId the buyer
 * @param left how many were left afterwards
 */
public record SaleOrder(String item, int userId, int left) {}
