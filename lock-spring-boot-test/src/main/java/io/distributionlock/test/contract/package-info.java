/**
 * What every {@link io.distributionlock.LockExecutor} has to do, as tests over the public API alone. To put an executor through
 * them, extend {@link io.distributionlock.contract.LockExecutorContract} and say how its processes are made.
 */
package io.distributionlock.contract;
