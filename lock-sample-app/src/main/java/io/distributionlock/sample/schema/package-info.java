/**
 * How the tables come into the database.
 */
@NullMarked
package io.distributionlock.sample.schema;

import org.jspecify.annotations.NullMarked;
