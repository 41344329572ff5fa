/**
 * What {@code CommitGuard.DATABASE} needs: the fencing tokens in the database, and their table.
 */
@NullMarked
package io.distributionlock.autoconfigure.jdbc;

import org.jspecify.annotations.NullMarked;
