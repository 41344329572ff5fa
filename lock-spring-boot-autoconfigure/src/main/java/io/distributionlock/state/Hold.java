package io.distributionlock.state;

import io.distributionlock.LockKind;
import io.distributionlock.internal.Internal;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One acquisition within a {@link Ownership}: the first one, or a re-entry.
 *
 * @hidden
 */
@Internal
public final class Hold {

    /** How the holder came to the lock. */
    public enum Origin {
        /** The lock was free when this process asked. */
        ACQUIRED,
        /** The previous holder was in another process. */
        HANDED_OVER,
        /** The previous holder was in this process. */
        PASSED_ON,
        /** The owner held the lock already. */
        REENTERED
    }

    public final Ownership ownership;
    public final LockKind kind;

    /** The lease that renewals ask for; 0 if it is not renewed. */
    final long renewedMillis;

    final String label;
    final long since;
    public final Origin origin;

    /** When it ends even if it is not released: after a fixed hold time, or the maximum of a renewed one. */
    long end;

    /** Whether its owner has left it to other work. Written and read under the engine's lock. */
    boolean detached;

    /** Set by the releasing thread under the engine's lock, read without it. */
    public volatile boolean released;

    /** The hold of the same ownership that began before this one, if any. */
    @Nullable
    Hold earlier;

    /** Its place among the owners of the ownership, which distinguishes their tokens. */
    private final short localNumber;

    private List<Runnable> lossListeners = List.of();

    Hold(Ownership ownership, Waiter waiter, int localNumber, long since, Origin origin, long end) {
        this.ownership = ownership;
        this.kind = waiter.request.kind();
        this.localNumber = (short) localNumber;
        this.renewedMillis = waiter.request.renewed() ? waiter.leaseMillis() : 0;
        this.label = waiter.request.label();
        this.since = since;
        this.origin = origin;
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
    void onLost(Runnable listener) {
        // As small as possible: a process may hold very many locks, and most have one listener.
        lossListeners = lossListeners.isEmpty()
                ? List.of(listener)
                : Stream.concat(lossListeners.stream(), Stream.of(listener)).toList();
    }

    /** Called under the engine's lock. */
    List<Runnable> lossListeners() {
        return lossListeners;
    }
}
