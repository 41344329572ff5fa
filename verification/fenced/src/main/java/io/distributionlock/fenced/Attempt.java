package io.distributionlock.fenced;

/**
 * One section of a worker: it got the lock, and what became of its transaction.
 *
 * @param id stands in the log of the database if it has committed
 * @param start when it began, by the monotonic clock of this machine
 * @param late whether it stood still between the check of its guard and its commit
 * @param end {@link #NO_END} while it is under way
 * @param error the class of what it threw; empty if nothing
 */
record Attempt(
        String id,
        int worker,
        Guard guard,
        String counter,
        long token,
        long start,
        long end,
        Outcome outcome,
        boolean late,
        String error) {

    static final long NO_END = Long.MAX_VALUE;

    private static final String BETWEEN = ";";

    String toLine() {
        return String.join(
                BETWEEN,
                id,
                String.valueOf(worker),
                guard.name(),
                counter,
                String.valueOf(token),
                String.valueOf(start),
                String.valueOf(end),
                outcome.name(),
                String.valueOf(late),
                error);
    }

    static Attempt parse(String line) {
        String[] words = line.split(BETWEEN, -1);
        return new Attempt(
                words[0],
                Integer.parseInt(words[1]),
                Guard.valueOf(words[2]),
                words[3],
                Long.parseLong(words[4]),
                Long.parseLong(words[5]),
                Long.parseLong(words[6]),
                Outcome.valueOf(words[7]),
                Boolean.parseBoolean(words[8]),
                words[9]);
    }

    /** Ended so, if it was under way when its process was killed. */
    Attempt killedAt(long time) {
        return end == NO_END ? new Attempt(id, worker, guard, counter, token, start, time, outcome, late, error) : this;
    }

    /** Whether it came as far as its first statement. */
    boolean hasBegun() {
        return start < end;
    }

    /** Whether somebody else began while this one was under way. */
    boolean wasOvertakenBy(Attempt other) {
        return other != this && other.counter.equals(counter) && other.start > start && other.start < end;
    }
}
