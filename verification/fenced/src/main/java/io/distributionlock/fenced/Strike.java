package io.distributionlock.fenced;

/**
 * A fault that happened.
 *
 * @param worker whom it struck; {@link #ALL} if each
 * @param counter whose lock it struck; empty if each
 */
record Strike(Fault fault, long from, long to, int worker, String counter) {

    static final int ALL = -1;

    /** Whether it struck this section, between its lock and the end of its commit. */
    boolean hit(Attempt section) {
        return section.hasBegun()
                && section.start() < to
                && section.end() > from
                && (worker == ALL || worker == section.worker())
                && (counter.isEmpty() || counter.equals(section.counter()));
    }
}
