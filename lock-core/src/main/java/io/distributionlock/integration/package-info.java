/**
 * Spring Integration's {@code LockRegistry} on top of the locks of this library.
 */
@NullMarked
package io.distributionlock.integration;

import org.jspecify.annotations.NullMarked;
