package io.distributionlock.state;

import io.distributionlock.backend.EngineSettings;
import io.distributionlock.internal.BackendProblemException;
import io.distributionlock.internal.Internal;
import java.time.Duration;
import java.util.concurrent.TimeoutException;

/**
 * How long a command may stay unanswered.
 *
 * @hidden
 */
@Internal
public final class AnswerTimeout {

    /** What to do about an attempt whose own time was too short, before what to do otherwise. */
    public static final String WAIT_LONGER = "Wait longer (tryLockTime). If that does not help, ";

    private final Duration time;

    public AnswerTimeout(EngineSettings settings) {
        this.time = settings.commandTimeout();
    }

    /** Until when a command that is sent at this moment may stay unanswered. */
    public long deadline(long sentAt) {
        return Times.after(sentAt, time.toNanos());
    }

    /** The failure of a command that was not answered in time. */
    public TimeoutException noAnswer() {
        return noAnswerWithin(time, " (distribution-lock.redis.command-timeout)");
    }

    /** The failure of an attempt that ended without an answer, perhaps before that time was over. */
    Exception noAnswerAfter(Duration waited) {
        return waited.compareTo(time) >= 0
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
