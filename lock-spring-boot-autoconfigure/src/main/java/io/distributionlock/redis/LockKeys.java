package io.distributionlock.redis;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * The Redis keys of one lock.
 *
 * <p>All of them are in one Cluster slot, because they have the name of the lock in braces. Redis Cluster takes what stands
 * between the first opening and the next closing brace; so that this is always the whole name, braces in a name are written as
 * {@code %7B} and {@code %7D}, and the per cent sign as {@code %25}. Two names never have a key in common.
 */
final class LockKeys {

    private static final byte[] FENCE = bytes(":fence");
    private static final byte[] QUEUE = bytes(":queue");
    private static final byte[] PEERS = bytes(":peers");
    private static final byte[] READERS = bytes(":readers");

    private final byte[] owner;
    private final int nameStart;

    /**
     * @param prefix without braces
     * @param name the name of the lock, whatever it holds
     */
    LockKeys(String prefix, String name) {
        String start = prefix + ":{";
        this.owner = bytes(start + escaped(name) + "}");
        this.nameStart = bytes(start).length;
    }

    /** The name of the lock as it stands in its keys, behind something else; {@link #nameOf} reads it. */
    byte[] nameBehind(byte[] start) {
        int length = owner.length - nameStart - 1;
        byte[] whole = Arrays.copyOf(start, start.length + length);
        System.arraycopy(owner, nameStart, whole, start.length, length);
        return whole;
    }

    /**
     * The name of a lock, from how it stands in its keys.
     *
     * @throws IllegalArgumentException if no name is written like this
     */
    static String nameOf(String escaped) {
        int next = escaped.indexOf('%');
        if (next < 0) {
            return escaped;
        }
        StringBuilder name = new StringBuilder(escaped.length());
        int done = 0;
        for (; next >= 0; next = escaped.indexOf('%', done)) {
            name.append(escaped, done, next);
            boolean surrogate = escaped.startsWith("u", next + 1);
            int start = surrogate ? next + 2 : next + 1;
            done = start + (surrogate ? 4 : 2);
            if (done > escaped.length()) {
                throw new IllegalArgumentException("'" + escaped + "' is not the name of a lock in a key");
            }
            name.append((char) Integer.parseInt(escaped, start, done, 16));
        }
        return name.append(escaped, done, escaped.length()).toString();
    }

    /** A string: the claim that holds the lock. */
    byte[] owner() {
        return owner;
    }

    /** A string: the last fencing number. */
    byte[] fence() {
        return withSuffix(FENCE);
    }

    /** A sorted set: the waiting claims by ticket. */
    byte[] queue() {
        return withSuffix(QUEUE);
    }

    /** A hash: process to server time in milliseconds until which it counts as alive. */
    byte[] peers() {
        return withSuffix(PEERS);
    }

    /** A sorted set: the reading claims by the server time in milliseconds at which their leases end. */
    byte[] readers() {
        return withSuffix(READERS);
    }

    /** A string that is there if the claim was given up while it might have been under way. */
    byte[] tombstone(String claim) {
        return withSuffix(bytes(":gone:" + claim));
    }

    /** Adds the keys that every handover needs: owner, fence, queue, peers and readers. */
    void addTo(List<byte[]> parameters) {
        parameters.add(owner);
        parameters.add(fence());
        parameters.add(queue());
        parameters.add(peers());
        parameters.add(readers());
    }

    private byte[] withSuffix(byte[] suffix) {
        byte[] key = Arrays.copyOf(owner, owner.length + suffix.length);
        System.arraycopy(suffix, 0, key, owner.length, suffix.length);
        return key;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String escaped(String name) {
        for (int i = 0; i < name.length(); i++) {
            if (mustBeEscaped(name, i)) {
                return escapedFrom(i, name);
            }
        }
        return name;
    }

    private static String escapedFrom(int start, String name) {
        StringBuilder escaped = new StringBuilder(name.length() + 16).append(name, 0, start);
        for (int i = start; i < name.length(); i++) {
            char character = name.charAt(i);
            if (!mustBeEscaped(name, i)) {
                escaped.append(character);
            } else if (Character.isSurrogate(character)) {
                escaped.append("%u").append(Integer.toHexString(character));
            } else {
                escaped.append('%').append(character == '%' ? "25" : character == '{' ? "7B" : "7D");
            }
        }
        return escaped.toString();
    }

    private static boolean mustBeEscaped(String name, int index) {
        char character = name.charAt(index);
        return switch (character) {
            case '%', '{', '}' -> true;
            default -> Character.isSurrogate(character) && !isHalfOfPair(name, index);
        };
    }

    /** Half a pair alone has no UTF-8 form: every such name would end up with the same question mark in its key. */
    private static boolean isHalfOfPair(String name, int index) {
        if (Character.isHighSurrogate(name.charAt(index))) {
            return index + 1 < name.length() && Character.isLowSurrogate(name.charAt(index + 1));
        }
        return index > 0 && Character.isHighSurrogate(name.charAt(index - 1));
    }
}
