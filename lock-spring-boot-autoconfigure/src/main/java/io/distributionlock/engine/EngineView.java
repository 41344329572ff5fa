package io.distributionlock.engine;

import java.util.concurrent.CompletableFuture;

/** What can be seen of an executor that has a {@link LockEngine}. Thread-safe; nothing here blocks for longer than an event takes. */
public interface EngineView {

    /** What has happened so far. */
    EngineCounters counters();

    /** What this process holds and waits for now. Costs no command. */
    EngineSnapshot snapshot();

    /**
     * Asks the backend for what it knows of one lock; changes nothing. Completes exceptionally with a
     * {@link io.distributionlock.LockBackendException} when the backend fails, and with an {@link UnsupportedOperationException}
     * if it cannot be asked.
     */
    CompletableFuture<LockInspection> inspect(String name);
}
