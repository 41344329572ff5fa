/**
 * Leader election: one of several instances leads while it holds a lock.
 */
@NullMarked
package io.distributionlock.leader;

import org.jspecify.annotations.NullMarked;
