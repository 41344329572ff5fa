/**
 * Answers the caller when a lock is not acquired: mappers, fallbacks, exceptions.
 */
@NullMarked
package io.distributionlock.failure;

import org.jspecify.annotations.NullMarked;
