package io.distributionlock;

import io.distributionlock.internal.Arguments;

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

    /** An owner that equals only itself. */
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

    /** A new owner, equal to no other, with a description for logs and the endpoint. */
    public static LockOwner unique(String description) {
        return new LockOwner(new Described(Arguments.require("the description of a LockOwner", description)));
    }

    /** A description for logs: the name of the thread, the one given, or a token. */
    public String describe() {
        if (identity instanceof Thread thread) {
            return thread.getName();
        }
        return identity instanceof Described described ? described.text() : "token@" + Integer.toHexString(hashCode());
    }

    private record Described(String text) {}

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
