package io.distributionlock.playground.address;

/**
 * A delivery address of a user.
 *
 * @param isDefault whether it is used if no address is chosen
 */
public record Address(long id, int userId, String street, boolean isDefault) {}
