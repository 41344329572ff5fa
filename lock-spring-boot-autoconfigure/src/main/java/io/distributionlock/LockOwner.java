package io.distributionlock;

/**
 * Who holds a lock: the identity by which a second acquisition is recognised as re-entry.
 *
 * <p>A blocking caller owns by its thread. Work that moves between threads owns by a token of its own, which it hands to
 * every acquisition that is to count as re-entry.
 *
 * <p>Immutable and safe to share between threads.
 */
public final class LockOwner {

    private final Object identity;

    private LockOwner(Object identity) {
        this.identity = identity;
    }

    /** The calling thread, platform or virtual: every {@code LockOwner} made by one thread is equal. */
    public static LockOwner currentThread() {
        return new LockOwner(Thread.currentThread());
    }

    /** A new owner, equal to no other. */
    public static LockOwner unique() {
        return new LockOwner(new Object());
    }

    /** What a person reads in a log or an overview of locks: the thread's name, or that the owner is no thread. */
    public String describe() {
        return identity instanceof Thread thread ? thread.getName() : "token@" + Integer.toHexString(hashCode());
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LockOwner that && identity == that.identity;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(identity);
    }

    @Override
    public String toString() {
        return "LockOwner[" + describe() + "]";
    }
}
