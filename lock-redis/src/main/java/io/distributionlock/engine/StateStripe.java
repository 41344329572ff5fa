package io.distributionlock.engine;

import io.distributionlock.state.Decision;
import io.distributionlock.state.Event;
import io.distributionlock.state.LockState;
import io.distributionlock.state.SnapshotBuilder;
import io.distributionlock.state.Times;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A share of the names, and the lock that serializes their events. */
final class StateStripe {

    private static final long AGAIN_NANOS = Times.nanos(100);

    final ReentrantLock lock = new ReentrantLock();
    private final Map<String, LockState> states = new HashMap<>();
    private final Consumer<List<Decision>> announcement;

    /** No state is due earlier than this. Written under the lock. */
    private volatile long due = Times.NEVER;

    /** @param announcement receives decisions while the lock is still held */
    StateStripe(Consumer<List<Decision>> announcement) {
        this.announcement = announcement;
    }

    long due() {
        return due;
    }

    int size() {
        lock.lock();
        try {
            return states.size();
        } finally {
            lock.unlock();
        }
    }

    void show(SnapshotBuilder snapshot, LongSupplier clock) {
        lock.lock();
        try {
            long now = clock.getAsLong();
            for (LockState state : states.values()) {
                state.show(snapshot, now);
            }
        } finally {
            lock.unlock();
        }
    }

    @Nullable
    LockState get(String name) {
        return states.get(name);
    }

    void add(LockState state) {
        states.put(state.name(), state);
    }

    /** Discards an idle state, or notes when its next tick is due. */
    void settle(LockState state) {
        if (state.isIdle()) {
            states.remove(state.name());
        } else {
            due = Math.min(due, state.due());
        }
    }

    /** Ticks every state that is due. One that fails is ticked again soon, and does not keep others from their tick. */
    void tick(long now, List<Decision.Batch> decided) {
        if (now < due) {
            return;
        }
        lock.lock();
        try {
            long next = Times.NEVER;
            for (Iterator<LockState> all = states.values().iterator(); all.hasNext(); ) {
                LockState state = all.next();
                try {
                    if (state.due() <= now) {
                        apply(state, now, decided, new Event.Tick());
                    }
                    if (state.isIdle()) {
                        all.remove();
                    } else {
                        next = Math.min(next, state.due());
                    }
                } catch (Throwable e) {
                    next = Math.min(next, Times.after(now, AGAIN_NANOS));
                    FailureLog.report(e);
                }
            }
            due = next;
        } finally {
            lock.unlock();
        }
    }

    /** Lets an event happen to every state. */
    void forEach(LongSupplier clock, List<Decision.Batch> decided, Event event) {
        lock.lock();
        try {
            // Not sooner: other events may have happened while this waited for the lock.
            long now = clock.getAsLong();
            for (LockState state : List.copyOf(states.values())) {
                try {
                    apply(state, now, decided, event);
                } catch (Throwable e) {
                    FailureLog.report(e);
                }
                settle(state);
            }
        } finally {
            lock.unlock();
        }
    }

    private void apply(LockState state, long now, List<Decision.Batch> decided, Event event) {
        List<Decision> out = new ArrayList<>(2);
        decided.add(new Decision.Batch(state.name(), out));
        try {
            state.on(event, now, out);
        } finally {
            announcement.accept(out);
        }
    }
}
