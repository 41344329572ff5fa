package io.distributionlock.playground.masters;

/**
 * An invoice for a part of an order.
 *
 * @param number counts from 1 for each order, without gaps or duplicates
 */
public record Invoice(String orderCode, int number) {}
