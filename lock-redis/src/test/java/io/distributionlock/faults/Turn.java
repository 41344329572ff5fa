package io.distributionlock.faults;

import io.distributionlock.ReleaseResult;
import org.jspecify.annotations.Nullable;

/**
 * What a thread saw of one lease.
 *
 * <p>All times are {@link System#nanoTime()}. On Linux that is CLOCK_MONOTONIC, which is one and the same for all processes of a
 * machine, so that the times of several virtual machines can be compared.
 *
 * @param key the lock's name, without spaces
 * @param who the thread, without spaces
 * @param calledAt before the lock was asked for
 * @param returnedAt after it was got and its token, if it was to be drawn, was known
 * @param validFrom after the lease was first seen valid; {@link Long#MAX_VALUE} if it never was
 * @param validUntil before the lease was last seen valid; {@link Long#MIN_VALUE} if it never was
 * @param released how it was released, {@code null} if it was not
 */
record Turn(
        String key,
        String who,
        long token,
        long calledAt,
        long returnedAt,
        long validFrom,
        long validUntil,
        @Nullable ReleaseResult released) {

    private static final String NOT_RELEASED = "-";

    /** Whether it was seen valid for some time. */
    boolean wasValid() {
        return validFrom <= validUntil;
    }

    String toLine() {
        return String.join(
                " ",
                key,
                who,
                String.valueOf(token),
                String.valueOf(calledAt),
                String.valueOf(returnedAt),
                String.valueOf(validFrom),
                String.valueOf(validUntil),
                released == null ? NOT_RELEASED : released.name());
    }

    static Turn parse(String line) {
        String[] fields = line.split(" ");
        if (fields.length != 8) {
            throw new IllegalArgumentException("Not a turn: " + line);
        }
        return new Turn(
                fields[0],
                fields[1],
                Long.parseLong(fields[2]),
                Long.parseLong(fields[3]),
                Long.parseLong(fields[4]),
                Long.parseLong(fields[5]),
                Long.parseLong(fields[6]),
                fields[7].equals(NOT_RELEASED) ? null : ReleaseResult.valueOf(fields[7]));
    }
}
