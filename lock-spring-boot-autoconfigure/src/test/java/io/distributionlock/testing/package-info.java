/**
 * Real Redis servers, and networks that misbehave, for tests.
 */
@NullMarked
package io.distributionlock.testing;

import org.jspecify.annotations.NullMarked;
