package io.distributionlock.state;

/**
 * When a process that waits probes whether the owners of the lock know their claims: after the lock has not changed hands for a
 * heartbeat, then ever less often, and soon after a new connection, because the backend may have lost its latest data.
 */
final class OwnerProbeSchedule {

    private static final long MAX_HEARTBEATS = 32;

    private final long heartbeat;
    private long fence = -1;
    private long pause;
    private long next;
    private boolean soon;

    OwnerProbeSchedule(long heartbeatNanos) {
        this.heartbeat = heartbeatNanos;
    }

    /** Probes the owners at the next answer, and starts over. */
    void soon() {
        soon = true;
    }

    /** @param lastFence the last fencing number, from an answer "busy" */
    boolean isDue(long lastFence, long now) {
        boolean changed = lastFence != fence;
        if (changed || soon) {
            boolean due = soon;
            fence = lastFence;
            soon = false;
            pause = heartbeat;
            next = Times.after(now, pause / 2);
            return due;
        }
        if (now < next) {
            return false;
        }
        pause = Math.min(4 * pause, MAX_HEARTBEATS * heartbeat);
        // Answers come with the heartbeats, which are not exactly on time.
        next = Times.after(now, pause - heartbeat / 2);
        return true;
    }
}
