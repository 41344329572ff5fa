package io.distributionlock.sample.address;

/**
 * Where a user wants things sent.
 *
 * @param isDefault whether it is the one to take when nothing is said
 */
public record Address(long id, int userId, String street, boolean isDefault) {}
