package io.distributionlock.backend;

import io.distributionlock.internal.Internal;

/**
 * What the backend answers to a renew.
 *
 * @param held whether the claim still owns the lock
 * @param waiting how many claims wait in the queue; 1 if the backend only knows that some do
 * @hidden
 */
@Internal
public record RenewReply(boolean held, long waiting) {}
