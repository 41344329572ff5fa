package io.distributionlock.interceptor;

import org.jspecify.annotations.Nullable;

/** Runs a locked call the way that its return type asks for. */
interface CallRunner {

    @Nullable
    Object run(LockInvocationContext call) throws Throwable;
}
