/**
 * For the tests of applications that use locks: {@link io.distributionlock.test.LocalLocks} and
 * {@link io.distributionlock.test.ScriptedLocks} replace Redis, and {@link io.distributionlock.test.LockAssertions} says what is
 * expected of leases and outcomes.
 */
@NullMarked
package io.distributionlock.test;

import org.jspecify.annotations.NullMarked;
