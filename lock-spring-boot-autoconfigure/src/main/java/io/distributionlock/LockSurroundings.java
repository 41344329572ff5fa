package io.distributionlock;

import org.jspecify.annotations.Nullable;

/**
 * Connects work that holds locks with what goes on around and inside it, such as transactions. {@link LockTemplate#execute},
 * {@code tryExecute}, {@link MultiLock} and annotated methods ask it; a plain {@link LockTemplate} has {@link #NONE}, and the
 * auto-configuration puts in one that knows Spring's transactions. Implementations are thread-safe.
 */
public interface LockSurroundings {

    /** Nothing surrounds any work, and a loss is logged only. */
    LockSurroundings NONE = work -> null;

    /**
     * What the calling thread stands in that has to end before the locks of this work are given back. Asked on the thread of
     * the caller, before any lock is asked for.
     *
     * @return {@code null} if the locks are given back when the work has ended
     * @throws IllegalStateException if no locks may be taken here; nothing has been asked for then
     */
    @Nullable
    Surrounding current(LockedWork work);

    /** The calling thread begins work that holds these locks. */
    default void entered(HeldLocks locks) {}

    /** The calling thread has ended the work that it began last. */
    default void left(HeldLocks locks) {}

    /** A lease of these locks ended before its work; told once per lease, on any thread, which must not be blocked. */
    default void lost(HeldLocks locks, Lease lease) {}

    /** A lease that was taken without any work ended before its release; told once, on any thread, which must not be blocked. */
    default void lost(Lease lease) {}

    /** Something that outlives the work, and that is to end before the locks are given back. */
    interface Surrounding {

        /**
         * Keeps the locks until the end of this surrounding, by {@link HeldLocks#retain()} and later
         * {@link HeldLocks#release()}; does nothing if that end has come already. May be called on any thread.
         */
        void keep(HeldLocks locks);
    }
}
