package io.distributionlock.state;

import io.distributionlock.backend.EngineSettings;
import io.distributionlock.internal.BackendProblemException;
import io.distributionlock.internal.Internal;
import java.time.Duration;
import java.util.concurrent.TimeoutException;

/**
 * How long a command may stay unanswered. That is longer until the very first answer: a cold process loads classes and connects, which
 * on a busy machine can take longer than the command timeout although the backend is fine.
 *
 * <p>All names of a process share it. After the first answer it costs a command no more than a volatile read.
 *
 * @hidden
 */
@Internal
public final class AnswerTimeout {

    /** What to do about an attempt whose own time was too short, before what to do otherwise. */
    public static final String WAIT_LONGER = "Wait longer (tryLockTime). If that does not help, ";

    private final Duration usual;
    private final Duration first;
    private volatile boolean awaitsFirst;

    public AnswerTimeout(EngineSettings settings) {
        this.usual = settings.commandTimeout();
        this.first = settings.firstAnswerTimeout();
        this.awaitsFirst = first.compareTo(usual) > 0;
    }

    /** Whether a command may take longer because no answer has ever come. */
    public boolean awaitsFirst() {
        return awaitsFirst;
    }

    /** An answer has come. What was sent before keeps its time. */
    public void end() {
        if (awaitsFirst) {
            awaitsFirst = false;
        }
    }

    /** Until when a command that is sent at this moment may stay unanswered. */
    public long deadline(long sentAt) {
        return Times.after(sentAt, present().toNanos());
    }

    private Duration present() {
        return awaitsFirst ? first : usual;
    }

    /** The failure of a command that was not answered in time. */
    public TimeoutException noAnswer() {
        return awaitsFirst
                ? noAnswerWithin(first, "")
                : noAnswerWithin(usual, " (distribution-lock.redis.command-timeout)");
    }

    /** The failure of an attempt that ended without an answer, perhaps before that time was over. */
    Exception noAnswerAfter(Duration waited) {
        return waited.compareTo(present()) >= 0
                ? noAnswer()
                : new BackendProblemException(
                        "The time to wait ended before the backend answered.",
                        WAIT_LONGER
                                + "check that Redis is running and can be reached from here, and that this process has"
                                + " enough CPU.",
                        noAnswerWithin(waited, ""));
    }

    private static TimeoutException noAnswerWithin(Duration time, String property) {
        return new TimeoutException("No answer came within " + time.toMillis() + " ms" + property + ".");
    }
}
