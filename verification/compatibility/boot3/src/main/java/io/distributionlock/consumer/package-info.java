/** An application as a newcomer would write it, with nothing but the starter. */
@NullMarked
package io.distributionlock.consumer;

import org.jspecify.annotations.NullMarked;
