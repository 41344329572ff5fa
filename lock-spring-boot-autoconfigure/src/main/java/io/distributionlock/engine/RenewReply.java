package io.distributionlock.engine;

/**
 * What the backend answers to a renew.
 *
 * @param held whether the claim still owns the lock
 * @param waiting how many claims wait in the queue
 */
public record RenewReply(boolean held, long waiting) {}
