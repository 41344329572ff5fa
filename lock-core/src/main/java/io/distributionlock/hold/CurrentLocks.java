package io.distributionlock.hold;

import io.distributionlock.Lease;
import io.distributionlock.LockContext;
import io.distributionlock.internal.Internal;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * The locked work that each thread is running, innermost first. Applications ask {@link LockContext}.
 *
 * @hidden
 */
@Internal
public final class CurrentLocks {

    private static final ThreadLocal<Deque<HeldLocks>> CALLS = new ThreadLocal<>();

    private CurrentLocks() {}

    /** The calling thread begins work that holds these locks. */
    public static void enter(HeldLocks locks) {
        Deque<HeldLocks> calls = CALLS.get();
        if (calls == null) {
            calls = new ArrayDeque<>(2);
            CALLS.set(calls);
        }
        calls.push(locks);
    }

    /** The calling thread has ended the work that it began last. */
    public static void leave() {
        Deque<HeldLocks> calls = CALLS.get();
        if (calls == null) {
            return;
        }
        calls.poll();
        if (calls.isEmpty()) {
            CALLS.remove();
        }
    }

    /** The leases of the innermost work of the calling thread; none outside of any. */
    public static List<Lease> leases() {
        Deque<HeldLocks> calls = CALLS.get();
        HeldLocks innermost = calls == null ? null : calls.peek();
        return innermost == null ? List.of() : innermost.leases();
    }

    /** What the calling thread holds, innermost first. */
    public static List<HeldLocks> all() {
        Deque<HeldLocks> calls = CALLS.get();
        return calls == null ? List.of() : List.copyOf(calls);
    }
}
