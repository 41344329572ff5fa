package io.distributionlock.engine;

import io.distributionlock.backend.CommandPort;
import io.distributionlock.backend.NotReplicatedException;
import io.distributionlock.backend.TryAgainException;
import io.distributionlock.internal.BackendProblemException;
import io.distributionlock.internal.Failures;
import io.distributionlock.state.AnswerTimeout;
import io.distributionlock.state.Times;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Logs once that the backend has stopped answering, and once that it is back: all that fails in between fails for the same reason.
 *
 * <p>A command that fails is no outage if another one was answered since it was sent. Thread-safe.
 */
final class Outage {

    private static final Log log = LogFactory.getLog(LockEngine.class);

    private static final long NONE = -1;

    private final CommandPort port;
    private final AnswerTimeout timeout;
    private final long answerNanos;
    private final LongSupplier clock;

    /** When the first command was sent that had no answer; {@link #NONE} while there are answers. */
    private final AtomicLong since = new AtomicLong(NONE);

    private volatile long answeredAt = NONE;

    /** @param answerNanos how long an answer may usually take */
    Outage(CommandPort port, AnswerTimeout timeout, long answerNanos, LongSupplier clock) {
        this.port = port;
        this.timeout = timeout;
        this.answerNanos = answerNanos;
        this.clock = clock;
    }

    void answered() {
        answeredAt = clock.getAsLong();
        long began = since.get();
        if (began != NONE && since.compareAndSet(began, NONE)) {
            log.info("The locks of " + port.endpoint() + " are back in service after "
                    + Times.between(began, clock.getAsLong()).toSeconds() + " s.");
        }
    }

    /**
     * A command has failed.
     *
     * @return whether there is an outage, which is logged and explains the failure
     */
    boolean explains(long sentAt, Throwable failure) {
        if (isAnswer(failure)) {
            return false;
        }
        if (isOn()) {
            return true;
        }
        if (sentAt <= answeredAt) {
            return false;
        }
        if (since.compareAndSet(NONE, sentAt)) {
            log.warn("The locks of " + port.endpoint() + " are out of service. "
                    + BackendProblemException.describe(reason(failure))
                    + " Until they are back, attempts fail, held locks are lost when their leases end, and releases are"
                    + " repeated.");
        }
        return true;
    }

    /** A client's own text, such as "Connection reset", says less than what the port knows. */
    private Throwable reason(Throwable failure) {
        Throwable reason = port.explained(failure);
        Throwable diagnosis = port.explained(timeout.noAnswer());
        return reason instanceof BackendProblemException || !(diagnosis instanceof BackendProblemException)
                ? reason
                : diagnosis;
    }

    /**
     * The usual time for an answer is over.
     *
     * @param failure how the command has failed meanwhile, if it has
     */
    boolean explainsOverdue(@Nullable Throwable failure) {
        // What was sent just before the backend went away was still followed by answers of others.
        return explains(
                clock.getAsLong() - answerNanos / 2,
                failure == null ? timeout.noAnswer() : Failures.unwrapped(failure));
    }

    boolean isOn() {
        return since.get() != NONE;
    }

    /** Whether a command failed by an answer of the backend, so that the backend is there. */
    static boolean isAnswer(Throwable failure) {
        return failure instanceof TryAgainException
                || failure instanceof NotReplicatedException
                || BackendProblemException.isAnswer(failure);
    }
}
