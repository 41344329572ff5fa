/**
 * What an operator sees of the locks. Optional throughout.
 */
@NullMarked
package io.distributionlock.observe;

import org.jspecify.annotations.NullMarked;
