package io.distributionlock.faults;

/** For how long a process was stopped. Times as in {@link Turn}. */
record Pause(String process, long from, long until) {

    /** How much of this pause lies between two times. */
    long within(long start, long end) {
        return Math.max(0, Math.min(until, end) - Math.max(from, start));
    }
}
