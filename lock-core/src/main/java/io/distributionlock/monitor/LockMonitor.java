package io.distributionlock.monitor;

import java.util.concurrent.CompletableFuture;

/** Shows what the locks of one executor are doing. Thread-safe; no method waits for the backend. */
public interface LockMonitor {

    /** Returns the name of this process in the backend, which its claims begin with. */
    String instance();

    /** Returns what this process holds and waits for now. Sends no command. */
    LockSnapshot snapshot();

    /**
     * Asks the backend what it knows of one lock, and changes nothing. Completes exceptionally with a
     * {@link io.distributionlock.LockBackendException} if the backend fails, and with an {@link UnsupportedOperationException}
     * if it does not support this.
     */
    CompletableFuture<LockInspection> inspect(String name);
}
