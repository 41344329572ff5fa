package io.distributionlock.state;

import org.jspecify.annotations.Nullable;

/** What a {@link Claimant} is doing about its lock: nothing, acquiring it ({@link PendingAcquire}) or owning it ({@link Ownership}). */
sealed interface Phase permits Phase.Idle, PendingAcquire, Ownership {

    /** The claim by which it acquires or owns the lock, if any. */
    @Nullable
    Claim claim();

    /** When the next tick is due. */
    long due();

    /** It neither acquires nor owns the lock. */
    enum Idle implements Phase {
        INSTANCE;

        @Override
        public @Nullable Claim claim() {
            return null;
        }

        @Override
        public long due() {
            return Times.NEVER;
        }
    }
}
