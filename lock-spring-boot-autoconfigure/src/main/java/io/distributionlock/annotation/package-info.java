/**
 * The annotations that a service is written with.
 */
@NullMarked
package io.distributionlock.annotation;

import org.jspecify.annotations.NullMarked;
