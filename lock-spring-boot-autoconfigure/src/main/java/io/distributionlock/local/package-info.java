/**
 * The engine's commands inside one process, for unit tests and single-process development.
 */
@NullMarked
package io.distributionlock.local;

import org.jspecify.annotations.NullMarked;
