package io.distributionlock.engine;

import io.distributionlock.LockExecutor;

/** How many names an executor holds or waits for at present, also those that it is still giving back. */
public final class ActiveNames {

    private ActiveNames() {}

    public static int of(LockExecutor executor) {
        return ((EngineLockExecutor) executor.backend()).activeNames();
    }
}
