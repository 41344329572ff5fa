/**
 * The health of the quorum.
 */
@NullMarked
package io.distributionlock.autoconfigure.health;

import org.jspecify.annotations.NullMarked;
