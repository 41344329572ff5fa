/**
 * Helpers that use no other package: waiting, threads of the application, message texts. Internal.
 */
@NullMarked
package io.distributionlock.internal;

import org.jspecify.annotations.NullMarked;
