package io.distributionlock.hold;

import io.distributionlock.Lease;
import io.distributionlock.LockExecutor;
import io.distributionlock.LockKind;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The holds that the calling thread has locked through views of one lock and not unlocked yet, innermost first. Shared by all
 * views of the lock, of any template and kind. A lost hold stays until it is unlocked.
 */
final class ThreadLeases {

    private static final ThreadLocal<Map<Key, Deque<Held>>> ALL = new ThreadLocal<>();

    /** Never modified. */
    private static final Deque<Held> NOTHING = new ArrayDeque<>(1);

    private final Key key;

    /** @param backend see {@link LockExecutor#backend()} */
    ThreadLeases(Object backend, String name) {
        this.key = new Key(backend, name);
    }

    void push(LockKind kind, Lease lease) {
        Map<Key, Deque<Held>> mine = ALL.get();
        if (mine == null) {
            mine = new HashMap<>();
            ALL.set(mine);
        }
        mine.computeIfAbsent(key, unused -> new ArrayDeque<>(1)).push(new Held(kind, lease));
    }

    /** Removes the innermost hold of this kind, lost or not. */
    @Nullable
    Lease pop(LockKind kind) {
        for (Iterator<Held> held = held().iterator(); held.hasNext(); ) {
            Held innermost = held.next();
            if (innermost.kind() == kind) {
                held.remove();
                forgetIfEmpty();
                return innermost.lease();
            }
        }
        return null;
    }

    private void forgetIfEmpty() {
        if (!held().isEmpty()) {
            return;
        }
        Map<Key, Deque<Held>> mine = ALL.get();
        mine.remove(key);
        if (mine.isEmpty()) {
            ALL.remove();
        }
    }

    /** The number of valid holds of this kind. */
    int count(LockKind kind) {
        int count = 0;
        for (Held each : held()) {
            if (each.kind() == kind && each.lease().isValid()) {
                count++;
            }
        }
        return count;
    }

    /** The lease of the innermost hold of this kind, or {@code null} if it is lost or there is none. */
    @Nullable
    Lease innermost(LockKind kind) {
        for (Held each : held()) {
            if (each.kind() == kind) {
                return each.lease().isValid() ? each.lease() : null;
            }
        }
        return null;
    }

    /** The lease of the innermost hold that is lost and not unlocked yet. */
    @Nullable
    Lease firstLost() {
        for (Held each : held()) {
            if (!each.lease().isValid()) {
                return each.lease();
            }
        }
        return null;
    }

    private Deque<Held> held() {
        Map<Key, Deque<Held>> mine = ALL.get();
        Deque<Held> held = mine == null ? null : mine.get(key);
        return held == null ? NOTHING : held;
    }

    private record Held(LockKind kind, Lease lease) {}

    private record Key(Object backend, String name) {}
}
