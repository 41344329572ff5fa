package io.distributionlock;

/**
 * The identity of a lock holder, by which another acquisition is recognised as re-entry.
 *
 * <p>A blocking caller is identified by its thread. Work that moves between threads creates a unique owner, and passes it to every
 * acquisition that is to count as re-entry.
 *
 * <p>Immutable and safe to share between threads.
 */
public final class LockOwner {

    private final Object identity;

    private LockOwner(Object identity) {
        this.identity = identity;
    }

    /** Its own identity. */
    private LockOwner() {
        this.identity = this;
    }

    /** The calling thread, platform or virtual. All owners created by one thread are equal. */
    public static LockOwner currentThread() {
        return new LockOwner(Thread.currentThread());
    }

    /** A new owner, equal to no other. */
    public static LockOwner unique() {
        return new LockOwner();
    }

    /** A description for logs: the name of the thread, or a token. */
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
