package io.distributionlock.state;

import static io.distributionlock.backend.CommandPort.MAX_HEARTBEAT_ENTRIES;

import java.util.LinkedHashSet;
import java.util.Set;

/**
 * When the single attempts of a name have their heartbeats: at the same moment of each interval, so that they travel in one
 * command. If they are too many for one, they have several moments, spread over the interval, so that neither this process nor
 * the backend is busy with all of them at once. Attempts that arrived one after another stay together.
 *
 * <p>If they are very many, they take turns, since the next holder waits behind their commands. Only those that come next ask at each
 * heartbeat. Any of them shows that this process lives.
 */
final class HeartbeatSchedule {

    /** If there were more commands in an interval, the claims take turns. */
    private static final int MAX_COMMANDS = 10;

    /** A large odd number, which spreads the hashes of similar names. */
    private static final long HASH_SPREAD = 0x9E3779B97F4A7C15L;

    /** A process that waits for many names must not send all their heartbeats at once. */
    private final long offset;

    /** In the order of their arrival. */
    private final Set<SingleRequestQueue> waiting = new LinkedHashSet<>(2);

    private long arrivals;

    /** @param interval the longest that there will be */
    HeartbeatSchedule(String name, long interval) {
        this.offset = Math.floorMod((long) name.hashCode() * HASH_SPREAD, interval);
    }

    /** The place of an attempt that arrives, among those of the name. */
    long arrive() {
        return arrivals++;
    }

    /** Notes whether an attempt waits. */
    void settle(SingleRequestQueue queue) {
        if (queue.isWaiting()) {
            waiting.add(queue);
        } else {
            waiting.remove(queue);
        }
    }

    /**
     * Returns the next heartbeat of an attempt.
     *
     * @param arrival its place
     * @param sentAt when its latest acquire was sent
     * @param interval between heartbeats
     */
    long next(long arrival, long sentAt, long now, long interval) {
        long next = sentAt + interval - Math.floorMod(sentAt - moment(arrival, interval), interval);
        // An answer that came after that moment is in time for the following one, unless the backend is slow.
        return next <= now && now - sentAt < interval ? next + interval : next;
    }

    /** Whether an attempt that waits asks at this heartbeat. */
    boolean hasTurn(long arrival, long now, long interval) {
        long turns = (commands() + MAX_COMMANDS - 1) / MAX_COMMANDS;
        if (turns == 1 || arrival - waiting.iterator().next().arrival < MAX_HEARTBEAT_ENTRIES) {
            return true;
        }
        long heartbeat = Math.floorDiv(now - moment(arrival, interval) + interval / 2, interval);
        return (arrival / MAX_HEARTBEAT_ENTRIES + heartbeat) % turns == 0;
    }

    private long moment(long arrival, long interval) {
        return offset + arrival / MAX_HEARTBEAT_ENTRIES % commands() * interval / commands();
    }

    private long commands() {
        return Math.max(1, (waiting.size() + MAX_HEARTBEAT_ENTRIES - 1) / MAX_HEARTBEAT_ENTRIES);
    }
}
