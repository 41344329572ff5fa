/**
 * Facts about methods, their types and their results. Internal.
 */
@NullMarked
package io.distributionlock.reflect;

import org.jspecify.annotations.NullMarked;
