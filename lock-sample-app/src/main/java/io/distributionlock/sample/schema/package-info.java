/**
 * Creates the tables.
 */
@NullMarked
package io.distributionlock.sample.schema;

import org.jspecify.annotations.NullMarked;
