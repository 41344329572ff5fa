/**
 * Locks inside one process, for tests and development, and the kill switch.
 */
@NullMarked
package io.distributionlock.local;

import org.jspecify.annotations.NullMarked;
