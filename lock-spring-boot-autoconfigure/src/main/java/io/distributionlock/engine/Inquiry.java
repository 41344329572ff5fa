package io.distributionlock.engine;

/**
 * When those who are inside are asked whether they know of it: a process that waits does so when the lock has not changed hands
 * for a heartbeat, then ever more rarely, and soon after a new connection, when the backend may have lost what it was told last.
 */
final class Inquiry {

    private static final long MOST_HEARTBEATS = 32;

    private final long heartbeat;
    private long fence = -1;
    private long pause;
    private long next;
    private boolean soon;

    Inquiry(long heartbeatNanos) {
        this.heartbeat = heartbeatNanos;
    }

    /** Asks with the next answer, and begins anew. */
    void soon() {
        soon = true;
    }

    /** @param toldFence the last fencing number, as an answer "busy" told it */
    boolean isDue(long toldFence, long now) {
        boolean changed = toldFence != fence;
        if (changed || soon) {
            boolean asks = soon;
            fence = toldFence;
            soon = false;
            pause = heartbeat;
            next = Times.after(now, pause / 2);
            return asks;
        }
        if (now < next) {
            return false;
        }
        pause = Math.min(2 * pause, MOST_HEARTBEATS * heartbeat);
        // The answers come with the heartbeats, and not on the dot.
        next = Times.after(now, pause - heartbeat / 2);
        return true;
    }
}
