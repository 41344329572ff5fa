package io.distributionlock.internal;

import org.jspecify.annotations.Nullable;

/**
 * A known problem of the backend and its remedy. The cause is the exception of the backend's client.
 *
 * <p>It is the cause of a {@code LockBackendException}, or fails the start-up check of an application that enables it
 * ({@code distribution-lock.redis.check-on-start}).
 *
 * @hidden
 */
@Internal
public class BackendProblemException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String description;
    private final String action;
    private final boolean answer;

    /**
     * @param description what is wrong; a whole sentence
     * @param action what to do about it; a whole sentence
     */
    public BackendProblemException(String description, String action, @Nullable Throwable cause) {
        this(description, action, cause, false);
    }

    /** @param answer whether the backend has answered so; otherwise a command that failed for it may still run */
    public BackendProblemException(String description, String action, @Nullable Throwable cause, boolean answer) {
        super(description + " " + action, cause);
        this.description = description;
        this.action = action;
        this.answer = answer;
    }

    /** What is wrong, without a remedy, as a sentence. */
    public static String describe(Throwable failure) {
        return failure instanceof BackendProblemException problem
                ? MessageText.sentence(problem.description())
                : MessageText.sentence(failure);
    }

    /** Whether the backend has answered so; otherwise a command that failed for it may still run. */
    public static boolean isAnswer(Throwable failure) {
        return failure instanceof BackendProblemException problem && problem.answer;
    }

    /** What is wrong. */
    public String description() {
        return description;
    }

    /** What to do about it. */
    public String action() {
        return action;
    }
}
