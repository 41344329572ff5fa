package io.distributionlock.engine;

import io.distributionlock.LockKind;
import io.distributionlock.LockOwner;
import java.util.ArrayList;
import java.util.List;

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
        List<Runnable> extended = new ArrayList<>(lossListeners);
        extended.add(listener);
        lossListeners = extended;
    }

    /** Called under the engine's lock. */
    List<Runnable> lossListeners() {
        return lossListeners;
    }
}
