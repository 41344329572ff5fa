package io.distributionlock.playground.transfer;

/**
 * An account.
 *
 * @param balance in cents, never negative
 */
public record Account(String account, long balance) {}
