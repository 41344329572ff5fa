package io.distributionlock.state;

/**
 * How long a process that no message notifies pauses between two attempts: for a quarter of the time for which the lock has not changed
 * hands, so that it notices a release late by a quarter of that time at most, and a long wait costs few commands.
 *
 * <p>Pauses are heartbeats, halved as often as necessary. So the moments of a longer pause are among those of a shorter one, and all
 * attempts of a process for one name go on to travel in one command.
 */
final class PollPause {

    private static final long SHORTEST_NANOS = Times.nanos(10);

    private PollPause() {}

    /**
     * @param longest the bound of the pause
     * @param unchanged for how long the lock has not changed hands, as far as is known
     */
    static long nanos(long heartbeat, long longest, long unchanged) {
        long wanted = Math.min(longest, Math.max(SHORTEST_NANOS, unchanged / 4));
        long pause = heartbeat;
        while (pause > wanted) {
            pause /= 2;
        }
        return pause;
    }
}
