package io.distributionlock.sample.masters;

/**
 * An invoice for a part of an order.
 *
 * @param number from 1 on for each order: none twice, and none left out
 */
public record Invoice(String orderCode, int number) {}
