/**
 * From an annotated method to a lock and back: metadata, key resolution, the advice and the mapping of failures.
 */
@NullMarked
package io.distributionlock.aop;

import org.jspecify.annotations.NullMarked;
