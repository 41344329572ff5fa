/**
 * Locks held while work runs: attempts, counting, losses, views. Behind {@link io.distributionlock.LockTemplate}; internal.
 */
@NullMarked
package io.distributionlock.hold;

import org.jspecify.annotations.NullMarked;
