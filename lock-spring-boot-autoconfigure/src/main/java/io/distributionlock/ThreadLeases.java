package io.distributionlock;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What each thread has locked through views and not unlocked yet, innermost last. */
final class ThreadLeases {

    private final ThreadLocal<Map<String, Deque<Lease>>> leases = new ThreadLocal<>();

    void push(String name, Lease lease) {
        Map<String, Deque<Lease>> mine = leases.get();
        if (mine == null) {
            mine = new HashMap<>();
            leases.set(mine);
        }
        mine.computeIfAbsent(name, unused -> new ArrayDeque<>(1)).push(lease);
    }

    @Nullable
    Lease pop(String name) {
        Map<String, Deque<Lease>> mine = leases.get();
        Deque<Lease> ofName = mine == null ? null : mine.get(name);
        if (mine == null || ofName == null) {
            return null;
        }
        Lease innermost = ofName.pop();
        if (ofName.isEmpty()) {
            mine.remove(name);
        }
        if (mine.isEmpty()) {
            leases.remove();
        }
        return innermost;
    }
}
