/**
 * What one executor holds, waits for and has counted, and what the backend knows of a lock.
 */
@NullMarked
package io.distributionlock.monitor;

import org.jspecify.annotations.NullMarked;
