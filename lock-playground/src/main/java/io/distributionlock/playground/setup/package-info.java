/**
 * What must be there before the application starts: settings, the Redis that it brings, the tables.
 */
@NullMarked
package io.distributionlock.playground.setup;

import org.jspecify.annotations.NullMarked;
