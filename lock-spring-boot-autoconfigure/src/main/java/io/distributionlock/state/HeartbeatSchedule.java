package io.distributionlock.state;

import io.distributionlock.backend.CommandPort;

/**
 * When the single attempts of a name have their heartbeats: at the same moment of each interval, so that they travel in one
 * command. If they are too many for one, they have several moments, spread over the interval, so that neither this process nor
 * the backend is busy with all of them at once. Attempts that arrived one after another stay together.
 */
final class HeartbeatSchedule {

    /** A large odd number, which spreads the hashes of similar names. */
    private static final long HASH_SPREAD = 0x9E3779B97F4A7C15L;

    /** A process that waits for many names must not send all their heartbeats at once. */
    private final long offset;

    private long arrivals;
    private int present;

    /** @param interval the longest that there will be */
    HeartbeatSchedule(String name, long interval) {
        this.offset = Math.floorMod((long) name.hashCode() * HASH_SPREAD, interval);
    }

    /** The place of an attempt that arrives, among those of the name. */
    long arrive() {
        return arrivals++;
    }

    /** @param attempts how many single attempts of the name there are at present */
    void present(int attempts) {
        present = attempts;
    }

    /**
     * Returns the next heartbeat of an attempt.
     *
     * @param arrival its place
     * @param sentAt when its latest acquire was sent
     * @param interval between heartbeats
     */
    long next(long arrival, long sentAt, long now, long interval) {
        long moments = Math.max(1, (present + CommandPort.MOST_BIDDINGS - 1) / CommandPort.MOST_BIDDINGS);
        long moment = offset + arrival / CommandPort.MOST_BIDDINGS % moments * interval / moments;
        long next = sentAt + interval - Math.floorMod(sentAt - moment, interval);
        // An answer that came after that moment is in time for the following one, unless the backend is slow.
        return next <= now && now - sentAt < interval ? next + interval : next;
    }
}
