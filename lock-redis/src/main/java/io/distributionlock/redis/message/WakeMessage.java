package io.distributionlock.redis.message;

import io.distributionlock.backend.CommandListener;
import io.distributionlock.internal.ClaimIds;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A message for one process: fields separated by line breaks, the name of the lock last because it may contain some.
 *
 * @param verb what happened to the claim
 * @param claim of the process that is notified
 * @param lock the name of the lock
 */
record WakeMessage(String verb, String claim, String lock) {

    /** A message of a process to itself, to check that messages arrive. */
    static final String ALIVE = "alive";

    private static final byte[] ALIVE_BYTES = ALIVE.getBytes(StandardCharsets.UTF_8);

    static boolean isAlive(byte[] message) {
        return Arrays.equals(message, ALIVE_BYTES);
    }

    /**
     * Parses a message from a channel.
     *
     * @throws IllegalArgumentException if it is not a lock message
     */
    static WakeMessage of(byte[] message) {
        String[] fields = new String(message, StandardCharsets.UTF_8).split("\n", 3);
        if (fields.length < 3) {
            throw new IllegalArgumentException(fields.length + " fields instead of 3");
        }
        return new WakeMessage(fields[0], fields[1], fields[2]);
    }

    /** Parses a message that a script left to its caller. */
    static WakeMessage ofScript(String line, String lock) {
        String[] fields = line.split(" ", 2);
        return new WakeMessage(fields[0], fields[1], lock);
    }

    /** The process that made the claim. */
    String instance() {
        return ClaimIds.instanceOf(claim);
    }

    /** The text that is published on a channel. */
    String text() {
        return verb + '\n' + claim + '\n' + lock;
    }

    /**
     * Notifies the listener.
     *
     * @throws IllegalArgumentException if nothing is known to have happened
     */
    void dispatchTo(CommandListener listener) {
        switch (verb) {
            case "granted" -> listener.granted(lock, claim);
            case "revoked" -> listener.revoked(lock, claim);
            case "probe" -> listener.probed(lock, claim);
            default -> throw new IllegalArgumentException("neither granted nor revoked nor probe");
        }
    }
}
