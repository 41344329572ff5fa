/**
 * How an application answers a call that did not acquire its lock.
 */
@NullMarked
package io.distributionlock.failure;

import org.jspecify.annotations.NullMarked;
