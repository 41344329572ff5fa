/** What a release uploads, checked. */
@NullMarked
package io.distributionlock.release;

import org.jspecify.annotations.NullMarked;
