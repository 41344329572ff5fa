/**
 * Helpers that use no other package: waiting, callback threads, message texts. Internal.
 */
@NullMarked
package io.distributionlock.internal;

import org.jspecify.annotations.NullMarked;
