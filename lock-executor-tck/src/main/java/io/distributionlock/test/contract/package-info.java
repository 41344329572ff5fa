/**
 * The contract of every {@link io.distributionlock.LockExecutor}, as tests over the public API alone.
 *
 * <p>To prove an executor, extend {@link io.distributionlock.test.contract.LockExecutorContract} and return a
 * {@link io.distributionlock.test.contract.LockFixture} that creates its processes. An executor with more kinds of locks than
 * {@link io.distributionlock.LockKind#REENTRANT} extends {@link io.distributionlock.test.contract.LockKindsContract} as well.
 *
 * <p>Needs JUnit Jupiter and AssertJ on the class path; {@code spring-boot-starter-test} brings both.
 */
@NullMarked
package io.distributionlock.test.contract;

import org.jspecify.annotations.NullMarked;
