package io.distributionlock.playground.flashsale;

import java.time.Instant;

/**
 * An item on sale for a limited time.
 *
 * @param item the item
 * @param stock how many are left
 * @param startsAt the start of the sale
 * @param endsAt the end of the sale, exclusive
 */
public record Sale(String item, int stock, Instant startsAt, Instant endsAt) {}
