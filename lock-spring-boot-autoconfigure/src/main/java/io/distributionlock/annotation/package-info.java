/**
 * The annotations for locked methods.
 */
@NullMarked
package io.distributionlock.annotation;

import org.jspecify.annotations.NullMarked;
