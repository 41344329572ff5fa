/**
 * The advice around annotated methods: reads their declarations, acquires their locks, runs them.
 */
@NullMarked
package io.distributionlock.interceptor;

import org.jspecify.annotations.NullMarked;
