package io.distributionlock.state;

import io.distributionlock.LockKind;
import io.distributionlock.internal.Internal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One acquisition within a {@link Ownership}: the first one, or a re-entry.
 *
 * @hidden
 */
@Internal
public final class Hold {

    public final Ownership ownership;
    public final LockKind kind;

    /** The lease that renewals ask for; 0 if it is not renewed. */
    final long renewedMillis;

    final String label;
    public final long since;

    /** When it ends even if it is not released: after a fixed hold time, or the maximum of a renewed one. */
    long end;

    /** Until then the lock stays taken, even if it is released sooner. Written and read under the engine's lock. */
    long minHoldUntil;

    /** Set by the releasing thread under the engine's lock, read without it. */
    public volatile boolean released;

    /** The hold of the same ownership that began before this one, if any. */
    @Nullable
    Hold earlier;

    /** Its place among the owners of the ownership, which distinguishes their tokens. */
    private final short localNumber;

    /** The latest listener, which links to the earlier ones. Guarded by the engine's lock. */
    private @Nullable LossListener latestListener;

    Hold(Ownership ownership, Waiter waiter, int localNumber, long since, long end) {
        this.ownership = ownership;
        this.kind = waiter.request.kind();
        this.localNumber = (short) localNumber;
        this.renewedMillis = waiter.request.renewed() ? waiter.leaseMillis() : 0;
        this.label = waiter.request.label();
        this.since = since;
        this.end = end;
    }

    boolean isRenewed() {
        return renewedMillis > 0;
    }

    /** The fencing token; 0 if none was drawn yet. */
    public long token() {
        long fence = ownership.fence();
        return fence == 0 ? 0 : (fence << Ownership.LOCAL_BITS) | localNumber;
    }

    /** Called under the engine's lock. */
    void onLost(LossListener listener) {
        listener.earlier = latestListener;
        latestListener = listener;
    }

    /** In the order in which they were added. Each is told of one loss only, so they are removed. Called under the engine's lock. */
    List<LossListener> takeLossListeners() {
        List<LossListener> all = new ArrayList<>(1);
        for (LossListener listener = latestListener; listener != null; listener = listener.earlier) {
            all.add(listener);
        }
        latestListener = null;
        Collections.reverse(all);
        return all;
    }
}
