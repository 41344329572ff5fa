package io.distributionlock.sample.flashsale;

import java.time.Instant;

/**
 * Something on sale for a while.
 *
 * @param item what is sold
 * @param stock how many are left
 * @param startsAt from when on it is sold
 * @param endsAt from when on it is sold no more
 */
public record Sale(String item, int stock, Instant startsAt, Instant endsAt) {}
