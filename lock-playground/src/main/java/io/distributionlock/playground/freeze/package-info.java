/**
 * A holder is stopped just before its commit, another one takes its lock, and the first commits late: with and without
 * the guard of the commit.
 */
@NullMarked
package io.distributionlock.playground.freeze;

import org.jspecify.annotations.NullMarked;
