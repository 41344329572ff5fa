/**
 * The fencing tokens of locks in a database, so that a holder that was overtaken cannot commit in it.
 */
@NullMarked
package io.distributionlock.jdbc;

import org.jspecify.annotations.NullMarked;
