/**
 * The properties, and the check that every property that is set exists.
 */
@NullMarked
package io.distributionlock.autoconfigure.property;

import org.jspecify.annotations.NullMarked;
