/**
 * The messages by which processes notify each other of locks that were granted or released by force.
 */
@NullMarked
package io.distributionlock.redis.message;

import org.jspecify.annotations.NullMarked;
