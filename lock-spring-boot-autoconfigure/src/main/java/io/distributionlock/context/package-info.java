/** What the thread of a caller knows, for another thread that goes on with its call. */
@NullMarked
package io.distributionlock.context;

import org.jspecify.annotations.NullMarked;
