package io.distributionlock.engine;

import io.distributionlock.LockBackendException;
import io.distributionlock.LockOutcome;
import io.distributionlock.backend.CommandPort;
import io.distributionlock.internal.BackendProblemException;
import io.distributionlock.internal.Failures;
import io.distributionlock.state.AnswerTimeout;
import io.distributionlock.state.Times;
import java.util.Comparator;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** How long an engine waits for the answers to its commands, and what it takes from those that come and those that do not. Thread-safe. */
final class Answers {

    private final CommandPort port;
    private final AnswerTimeout timeout;
    private final Outage outage;
    private final LongSupplier clock;
    private final LongConsumer wakeBy;

    /**
     * What to do about each answer that does not come, the earliest first. The timer of {@link CompletableFuture} has a thread in the
     * JDK that never ends, and keeps the first class loader that used it.
     */
    private final ConcurrentSkipListMap<Deadline, Runnable> deadlines = new ConcurrentSkipListMap<>(
            Comparator.comparingLong(Deadline::moment).thenComparingLong(Deadline::number));

    private final AtomicLong numbers = new AtomicLong();

    /** While the engine stops, an outage of Redis is not reported. */
    private volatile boolean stopping;

    /** Whether the last tick has run. */
    private volatile boolean over;

    /** @param wakeBy makes sure that there is a tick at the given time */
    Answers(CommandPort port, AnswerTimeout timeout, Outage outage, LongSupplier clock, LongConsumer wakeBy) {
        this.port = port;
        this.timeout = timeout;
        this.outage = outage;
        this.clock = clock;
        this.wakeBy = wakeBy;
    }

    /**
     * Sends a question that no state of a lock is concerned with.
     *
     * @param action what it does with the lock, for the message of a failure
     */
    <T> CompletableFuture<T> query(String name, String action, Supplier<CompletableFuture<T>> command) {
        return queryInSteps(name, action, answered -> command.get());
    }

    /**
     * Sends a question whose answer takes several commands: each has the time for an answer.
     *
     * @param command sends it, and runs what it is given after each answer
     */
    <T> CompletableFuture<T> queryInSteps(
            String name, String action, Function<Runnable, CompletableFuture<T>> command) {
        long sentAt = clock.getAsLong();
        AtomicLong lastAnswer = new AtomicLong(sentAt);
        CompletableFuture<T> sent = Failures.caught(() -> command.apply(() -> lastAnswer.set(clock.getAsLong())));
        // Completed first, so that the cancellation is not the failure.
        CompletableFuture<T> answer = sent.copy();
        expectNext(answer, lastAnswer, () -> {
            answer.completeExceptionally(timeout.noAnswer());
            sent.cancel(false);
        });
        return answer.handle((result, failure) -> {
            answered(failure);
            if (failure != null) {
                Throwable cause = Failures.unwrapped(failure);
                if (cause instanceof UnsupportedOperationException unsupported) {
                    throw unsupported;
                }
                failed(sentAt, cause);
                throw new LockBackendException(
                        name, action, Times.between(sentAt, clock.getAsLong()), port.explained(cause));
            }
            return result;
        });
    }

    private void expectNext(CompletableFuture<?> answer, AtomicLong lastAnswer, Runnable onTimeout) {
        long since = lastAnswer.get();
        completeBy(timeout.deadline(since), answer, () -> {
            if (lastAnswer.get() == since || over) {
                onTimeout.run();
            } else {
                expectNext(answer, lastAnswer, onTimeout);
            }
        });
    }

    /**
     * Called when a command has ended. A refusal to run a command is an answer, a refused connection is none.
     */
    void answered(@Nullable Throwable failure) {
        if (failure == null || Outage.isAnswer(Failures.unwrapped(failure))) {
            outage.answered();
        }
    }

    /** A command that was sent then has failed, or has had no answer in time. */
    void failed(long sentAt, Throwable failure) {
        if (!stopping) {
            outage.explains(sentAt, failure);
        }
    }

    /** Notices the outage behind an attempt that failed, and says what kept the answer from coming. */
    LockOutcome.NotAcquired explained(LockOutcome.NotAcquired outcome) {
        if (!(outcome instanceof LockOutcome.BackendFailed failed)) {
            return outcome;
        }
        Throwable cause = failed.cause();
        if (cause instanceof BackendProblemException problem
                && problem.getCause() instanceof TimeoutException silence) {
            // Its own time was over first. That shows no outage: the release that follows will, or will be answered.
            cause = port.explained(silence) instanceof BackendProblemException diagnosis
                    ? outOfTime(problem, diagnosis, silence)
                    : problem;
        } else {
            failed(clock.getAsLong() - failed.waited().toNanos(), cause);
            cause = port.explained(cause);
        }
        return new LockOutcome.BackendFailed(failed.waited(), cause);
    }

    /** Before the remedy of what is in the way comes that of a time that was too short. */
    private static BackendProblemException outOfTime(
            BackendProblemException problem, BackendProblemException diagnosis, TimeoutException silence) {
        String action = diagnosis.action();
        return new BackendProblemException(
                problem.description() + " " + diagnosis.description(),
                AnswerTimeout.WAIT_LONGER + Character.toLowerCase(action.charAt(0)) + action.substring(1),
                silence);
    }

    /** Notices an outage if no answer comes in time, although nobody waits for it. */
    void expect(CompletableFuture<?> answer) {
        long sentAt = clock.getAsLong();
        completeInTime(answer, () -> failed(sentAt, timeout.noAnswer()));
    }

    /** @param onTimeout completes the future if nothing has in time; may be called although it is complete */
    void completeInTime(CompletableFuture<?> answer, Runnable onTimeout) {
        completeBy(timeout.deadline(clock.getAsLong()), answer, onTimeout);
    }

    /** As {@link #completeInTime}, but at a moment of its own instead of the command timeout. */
    void completeBy(long moment, CompletableFuture<?> answer, Runnable onTimeout) {
        if (answer.isDone()) {
            return;
        }
        Deadline deadline = new Deadline(moment, numbers.getAndIncrement());
        deadlines.put(deadline, onTimeout);
        answer.whenComplete((result, failure) -> deadlines.remove(deadline));
        wakeBy.accept(deadline.moment());
        if (over) {
            onTimeout.run();
        }
    }

    private record Deadline(long moment, long number) {}

    void tick(long now) {
        for (Deadline first = first(); first != null && first.moment() <= now; first = first()) {
            Runnable onTimeout = deadlines.remove(first);
            if (onTimeout != null) {
                FailureLog.guard(onTimeout);
            }
        }
    }

    long due() {
        Deadline first = first();
        return first == null ? Times.NEVER : first.moment();
    }

    private @Nullable Deadline first() {
        Map.Entry<Deadline, Runnable> first = deadlines.firstEntry();
        return first == null ? null : first.getKey();
    }

    void reportNoOutage() {
        stopping = true;
    }

    /** No answer is waited for any longer. */
    void close() {
        over = true;
        deadlines.values().forEach(FailureLog::guard);
    }
}
