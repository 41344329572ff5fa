/**
 * Creates the tables.
 */
@NullMarked
package io.distributionlock.playground.schema;

import org.jspecify.annotations.NullMarked;
