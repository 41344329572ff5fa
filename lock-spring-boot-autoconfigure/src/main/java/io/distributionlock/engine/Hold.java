package io.distributionlock.engine;

import io.distributionlock.LockKind;
import io.distributionlock.LockOwner;
import java.util.List;
import java.util.stream.Stream;

/** One acquisition inside a {@link Tenure}: the first one, or a re-entry. */
final class Hold {

    final Tenure tenure;
    final LockKind kind;
    final long token;
    final boolean renewed;
    final long leaseMillis;
    final LockOwner owner;
    final String label;
    final long since;
    final Way way;

    /** When it is given up even if it was not released: a fixed hold time, or the maximum of a renewed one. */
    long end;

    /** Whether its owner has gone on to other things. Written and read under the engine's lock. */
    boolean detached;

    /** Set by the releasing thread under the engine's lock, read without it. */
    volatile boolean released;

    private List<Runnable> lossListeners = List.of();

    Hold(Tenure tenure, Waiter waiter, long token, long since, Way way, long end) {
        this.tenure = tenure;
        this.kind = waiter.request.kind();
        this.token = token;
        this.renewed = waiter.request.renewed();
        this.leaseMillis = waiter.leaseMillis();
        this.owner = waiter.owner;
        this.label = waiter.request.label();
        this.since = since;
        this.way = way;
        this.end = end;
    }

    /** Called under the engine's lock. */
    void whenLost(Runnable listener) {
        // As small as can be: a process may hold very many locks, and one listener is what most of them have.
        lossListeners = lossListeners.isEmpty()
                ? List.of(listener)
                : Stream.concat(lossListeners.stream(), Stream.of(listener)).toList();
    }

    /** Called under the engine's lock. */
    List<Runnable> lossListeners() {
        return lossListeners;
    }
}
