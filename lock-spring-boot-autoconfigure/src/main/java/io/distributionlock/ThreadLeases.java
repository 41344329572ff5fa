package io.distributionlock;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What each thread has locked through views and not unlocked yet, innermost last. */
final class ThreadLeases {

    private final ThreadLocal<Map<LockView, Deque<Lease>>> leases = new ThreadLocal<>();

    void push(LockView view, Lease lease) {
        Map<LockView, Deque<Lease>> mine = leases.get();
        if (mine == null) {
            mine = new HashMap<>();
            leases.set(mine);
        }
        mine.computeIfAbsent(view, unused -> new ArrayDeque<>(1)).push(lease);
    }

    @Nullable
    Lease pop(LockView view) {
        Map<LockView, Deque<Lease>> mine = leases.get();
        Deque<Lease> ofView = mine == null ? null : mine.get(view);
        if (mine == null || ofView == null) {
            return null;
        }
        Lease innermost = ofView.pop();
        if (ofView.isEmpty()) {
            mine.remove(view);
        }
        if (mine.isEmpty()) {
            leases.remove();
        }
        return innermost;
    }
}
