/**
 * The elections that properties declare, the methods that only a leader runs, and the health of elections.
 */
@NullMarked
package io.distributionlock.autoconfigure.leader;

import org.jspecify.annotations.NullMarked;
