package io.distributionlock.sample.flashsale;

/**
 * A bought item.
 *
 * @param item what was bought
 * @param userId who bought it
 * @param left how many were left then
 */
public record SaleOrder(String item, int userId, int left) {}
