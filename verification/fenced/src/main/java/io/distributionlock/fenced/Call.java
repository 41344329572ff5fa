package io.distributionlock.fenced;

import io.distributionlock.LockLostException;
import java.util.UUID;
import java.util.function.Consumer;

/** One attempt of a thread of a worker, while it goes on; it reports itself. Not shared between threads. */
final class Call {

    /** What the calling thread is doing; the manager of its transaction tells nothing of it. */
    static final ThreadLocal<Call> CURRENT = new ThreadLocal<>();

    final String id = UUID.randomUUID().toString();
    final Guard guard;
    final String counter;

    /** How long the work takes between its read and its write, in milliseconds. */
    final int hold;

    /** How long the thread stands still between the check of the guard and the commit. */
    final int late;

    /** Whether the lease lasts its fixed time only. */
    final boolean fixedLease;

    private final int worker;
    private final Consumer<Attempt> report;

    private long start;
    private long token;
    private boolean began;
    private boolean atCommit;

    Call(int worker, Consumer<Attempt> report, Guard guard, String counter, int hold, int late, boolean fixedLease) {
        this.worker = worker;
        this.report = report;
        this.guard = guard;
        this.counter = counter;
        this.hold = hold;
        this.late = late;
        this.fixedLease = fixedLease;
    }

    /** The lock is held and the work begins. */
    void begin(long itsToken) {
        began = true;
        token = itsToken;
        start = System.nanoTime();
        report.accept(attempt(Outcome.UNKNOWN, Attempt.NO_END, "Killed"));
    }

    boolean hasBegun() {
        return began;
    }

    /** The work has written all, and what follows is the commit. */
    void commits() {
        atCommit = true;
    }

    void done() {
        end(Outcome.DONE, "");
    }

    void failed(RuntimeException failure) {
        if (failure instanceof LockLostException) {
            end(Outcome.REFUSED, reason(failure));
        } else {
            end(atCommit ? Outcome.UNKNOWN : Outcome.FAILED, reason(failure));
        }
    }

    private static String reason(RuntimeException failure) {
        return failure instanceof LockLostException lost
                ? lost.reason().name()
                : failure.getClass().getSimpleName();
    }

    private void end(Outcome outcome, String error) {
        report.accept(attempt(outcome, System.nanoTime(), error));
    }

    private Attempt attempt(Outcome outcome, long end, String error) {
        return new Attempt(
                id, worker, guard, counter, token, began ? start : end, end, outcome, atCommit && late > 0, error);
    }
}
