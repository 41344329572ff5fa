/**
 * A user's addresses, exactly one of which is the default.
 */
@NullMarked
package io.distributionlock.playground.address;

import org.jspecify.annotations.NullMarked;
