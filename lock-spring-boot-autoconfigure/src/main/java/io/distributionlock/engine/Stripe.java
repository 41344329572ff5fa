package io.distributionlock.engine;

import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A share of the names, and the lock under which their events happen one after another. */
final class Stripe {

    /** What happens to the state of a name. */
    interface Event {
        void on(LockState state, long now, List<Decision> out);
    }

    private static final long AGAIN_NANOS = Times.nanos(100);

    final ReentrantLock lock = new ReentrantLock();
    private final Map<String, LockState> states = new HashMap<>();
    private final Consumer<List<Decision>> announcement;

    /** No state is due earlier than this. Written under the lock. */
    private volatile long due = Times.NEVER;

    /** @param announcement hears under the lock what was decided */
    Stripe(Consumer<List<Decision>> announcement) {
        this.announcement = announcement;
    }

    long due() {
        return due;
    }

    boolean isEmpty() {
        lock.lock();
        try {
            return states.isEmpty();
        } finally {
            lock.unlock();
        }
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

    /** Forgets a state that is no longer needed, and notes when one that is will be due. */
    void settle(LockState state) {
        if (state.isIdle()) {
            states.remove(state.name());
        } else {
            due = Math.min(due, state.due());
        }
    }

    /** Lets every state that is due have its tick; one that fails has another one soon, and keeps nobody from his. */
    void tick(long now, Decisions todo, Failures failures) {
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
                        apply(state, now, todo, LockState::tick);
                    }
                    if (state.isIdle()) {
                        all.remove();
                    } else {
                        next = Math.min(next, state.due());
                    }
                } catch (Throwable e) {
                    next = Math.min(next, Times.after(now, AGAIN_NANOS));
                    failures.tell(e);
                }
            }
            due = next;
        } finally {
            lock.unlock();
        }
    }

    /** Lets the same thing happen to every state. */
    void forEach(long now, Decisions todo, Event event, Failures failures) {
        lock.lock();
        try {
            for (LockState state : List.copyOf(states.values())) {
                try {
                    apply(state, now, todo, event);
                } catch (Throwable e) {
                    failures.tell(e);
                }
                settle(state);
            }
        } finally {
            lock.unlock();
        }
    }

    private void apply(LockState state, long now, Decisions todo, Event event) {
        List<Decision> out = todo.of(state.name());
        try {
            event.on(state, now, out);
        } finally {
            announcement.accept(out);
        }
    }
}
