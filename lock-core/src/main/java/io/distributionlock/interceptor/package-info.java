/**
 * The advice around annotated methods: reads and checks their declarations, acquires their locks, and runs them or answers without.
 */
@NullMarked
package io.distributionlock.interceptor;

import org.jspecify.annotations.NullMarked;
