package io.distributionlock;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the calling thread has locked through views of one lock and not unlocked yet, innermost first: the same for all views of
 * that lock, by whatever template and of whatever kind. A hold stays known after its lease is lost, until it is unlocked.
 */
final class ThreadLeases {

    private static final ThreadLocal<Map<Key, Deque<Held>>> ALL = new ThreadLocal<>();

    /** Never added to. */
    private static final Deque<Held> NOTHING = new ArrayDeque<>(1);

    private final Key key;

    /** @param backend who keeps the lock: see {@link LockExecutor#backend()} */
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

    /** Takes out what was locked last in this way, lost or not. */
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

    /** How much of what was locked in this way is held. */
    int count(LockKind kind) {
        int count = 0;
        for (Held each : held()) {
            if (each.kind() == kind && each.lease().isValid()) {
                count++;
            }
        }
        return count;
    }

    /** What was locked last in this way, or {@code null} if that is lost, or nothing is locked. */
    @Nullable
    Lease innermost(LockKind kind) {
        for (Held each : held()) {
            if (each.kind() == kind) {
                return each.lease().isValid() ? each.lease() : null;
            }
        }
        return null;
    }

    /** Whether something is lost that was locked in any way and has not been unlocked since. */
    boolean anyLost() {
        for (Held each : held()) {
            if (!each.lease().isValid()) {
                return true;
            }
        }
        return false;
    }

    private Deque<Held> held() {
        Map<Key, Deque<Held>> mine = ALL.get();
        Deque<Held> held = mine == null ? null : mine.get(key);
        return held == null ? NOTHING : held;
    }

    private record Held(LockKind kind, Lease lease) {}

    private record Key(Object backend, String name) {}
}
