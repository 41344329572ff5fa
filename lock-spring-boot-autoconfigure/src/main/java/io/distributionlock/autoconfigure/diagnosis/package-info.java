/**
 * Explains why an application does not start.
 */
@NullMarked
package io.distributionlock.autoconfigure.diagnosis;

import org.jspecify.annotations.NullMarked;
