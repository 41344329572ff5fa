package io.distributionlock.fenced;

import java.util.List;
import java.util.Locale;

/** What goes wrong, in the order in which a section that was struck by several is counted. */
enum Fault {
    /** kill -9, of one worker at the end of a round. */
    KILL,
    /** The thread stands still between the check of its guard and its commit. The worker does it itself. */
    LATE,
    /** SIGSTOP, beyond the lease. */
    FREEZE,
    /** One worker has no network to Redis, for longer than a lease. */
    CUT,
    /** Two workers have another Redis, for longer than a lease: both give each lock. */
    SPLIT,
    /** A replica that has missed the last locks takes over. */
    FAILOVER,
    /** All connections of one worker to the database are cut: some commits are under way. */
    DISCONNECT,
    /** FLUSHALL. */
    FLUSH,
    /** The lock is released by force. */
    FORCE,
    /** All rows of the guard are deleted, as pruning does with old ones. */
    PRUNE;

    static final List<Fault> ON_ONE_SERVER =
            List.of(FREEZE, FREEZE, FREEZE, CUT, SPLIT, DISCONNECT, FLUSH, FLUSH, FORCE, FORCE, PRUNE);
    static final List<Fault> WITH_SENTINELS = List.of(FREEZE, FAILOVER, FAILOVER, FORCE);

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
