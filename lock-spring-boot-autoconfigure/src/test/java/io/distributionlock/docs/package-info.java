/** Holds README and docs to what they say: links, tables and code. */
@NullMarked
package io.distributionlock.docs;

import org.jspecify.annotations.NullMarked;
