/**
 * The annotations for locked methods, and what is thrown if they are used in a way that cannot work.
 */
@NullMarked
package io.distributionlock.annotation;

import org.jspecify.annotations.NullMarked;
