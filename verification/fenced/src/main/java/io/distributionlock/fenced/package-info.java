/** Holders of a lock that write to a database, and the faults that strike them before they commit. */
@NullMarked
package io.distributionlock.fenced;

import org.jspecify.annotations.NullMarked;
