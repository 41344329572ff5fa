/**
 * From a declared lock and the arguments of a call to the names of its locks.
 */
@NullMarked
package io.distributionlock.key;

import org.jspecify.annotations.NullMarked;
