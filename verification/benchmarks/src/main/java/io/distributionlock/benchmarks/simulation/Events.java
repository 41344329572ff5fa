package io.distributionlock.benchmarks.simulation;

import java.util.PriorityQueue;

/** What is going to happen, and when: simulated time goes from one event to the next. What is due at once happens in the order of its planning. */
final class Events {

    private final PriorityQueue<Event> planned = new PriorityQueue<>();
    private long now;
    private long plannedSoFar;

    /** Nanoseconds since the simulation began. */
    long now() {
        return now;
    }

    void at(long moment, Runnable what) {
        planned.add(new Event(Math.max(moment, now), plannedSoFar++, what));
    }

    void after(long nanos, Runnable what) {
        at(now + nanos, what);
    }

    /** Lets everything happen that is due up to this moment. */
    void runUntil(long moment) {
        for (Event next = planned.peek(); next != null && next.moment <= moment; next = planned.peek()) {
            planned.remove();
            now = next.moment;
            next.what.run();
        }
        now = moment;
    }

    private record Event(long moment, long number, Runnable what) implements Comparable<Event> {

        @Override
        public int compareTo(Event other) {
            int byMoment = Long.compare(moment, other.moment);
            return byMoment != 0 ? byMoment : Long.compare(number, other.number);
        }
    }
}
