/** The specification of the lock protocol, checked. */
@NullMarked
package io.distributionlock.protocol;

import org.jspecify.annotations.NullMarked;
