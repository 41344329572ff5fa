package io.distributionlock.redis;

import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The Redis keys of one lock.
 *
 * <p>All are in one Cluster slot, because they contain the name of the lock in braces. Redis Cluster hashes what stands between the
 * first opening and the next closing brace. To make that the whole name, braces in a name are written as {@code %7B} and {@code %7D},
 * and the per cent sign as {@code %25}. No two names share a key.
 */
final class LockKeys {

    private final String owner;

    /**
     * @param prefix without braces
     * @param name the name of the lock; any characters but unpaired surrogates, which requests refuse because they have no UTF-8 form
     */
    LockKeys(String prefix, String name) {
        this.owner = prefix + ":{" + escaped(name) + "}";
    }

    /** A string: the claim that holds the lock. */
    byte[] owner() {
        return bytes(owner);
    }

    /** A string: the last fencing number. */
    byte[] fence() {
        return bytes(owner + ":fence");
    }

    /** A sorted set: the waiting claims by ticket. */
    byte[] queue() {
        return bytes(owner + ":queue");
    }

    /** A hash: for each process, the server time in milliseconds until which it counts as alive. */
    byte[] peers() {
        return bytes(owner + ":peers");
    }

    /** A sorted set: the claims of readers by the server time in milliseconds at which their leases end. */
    byte[] readers() {
        return bytes(owner + ":readers");
    }

    /** A string that exists if the claim was abandoned while an acquire for it could still arrive. */
    byte[] tombstone(String claim) {
        return bytes(owner + ":gone:" + claim);
    }

    /** Adds the keys of every script that may admit waiters: owner, fence, queue, peers and readers. */
    void addTo(List<byte[]> parameters) {
        parameters.add(owner());
        parameters.add(fence());
        parameters.add(queue());
        parameters.add(peers());
        parameters.add(readers());
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String escaped(String name) {
        return name.replace("%", "%25").replace("{", "%7B").replace("}", "%7D");
    }
}
