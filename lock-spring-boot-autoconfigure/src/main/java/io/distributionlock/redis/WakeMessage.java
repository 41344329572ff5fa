package io.distributionlock.redis;

import io.distributionlock.backend.CommandListener;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A message on the channel of one process: fields separated by line breaks, the name of the lock last because it may contain some.
 */
final class WakeMessage {

    /** A message of a process to itself, to check that messages arrive. */
    static final String ALIVE = "alive";

    private static final byte[] ALIVE_BYTES = ALIVE.getBytes(StandardCharsets.UTF_8);

    private WakeMessage() {}

    static boolean isAlive(byte[] message) {
        return Arrays.equals(message, ALIVE_BYTES);
    }

    /**
     * Parses a message and notifies the listener.
     *
     * @throws IllegalArgumentException if it is not a lock message
     */
    static void dispatch(byte[] message, CommandListener listener) {
        String text = new String(message, StandardCharsets.UTF_8);
        if (text.startsWith("granted\n")) {
            String[] fields = text.split("\n", 4);
            requireFields(4, fields);
            listener.granted(fields[3], fields[1], Long.parseLong(fields[2]));
        } else if (text.startsWith("revoked\n")) {
            String[] fields = text.split("\n", 3);
            requireFields(3, fields);
            listener.revoked(fields[2], fields[1]);
        } else if (text.startsWith("asked\n")) {
            String[] fields = text.split("\n", 3);
            requireFields(3, fields);
            listener.asked(fields[2], fields[1]);
        } else {
            throw new IllegalArgumentException("neither granted nor revoked nor asked");
        }
    }

    private static void requireFields(int count, String[] fields) {
        if (fields.length < count) {
            throw new IllegalArgumentException(fields.length + " fields instead of " + count);
        }
    }
}
