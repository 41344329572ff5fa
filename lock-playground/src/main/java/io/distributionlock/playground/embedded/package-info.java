/**
 * The Redis that comes with the playground.
 */
@NullMarked
package io.distributionlock.playground.embedded;

import org.jspecify.annotations.NullMarked;
