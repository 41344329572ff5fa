package io.distributionlock.backend;

import io.distributionlock.internal.Internal;
import org.jspecify.annotations.Nullable;

/**
 * The backend cannot run the command now: it may be sent again.
 *
 * @hidden
 */
@Internal
public final class TryAgainException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final boolean mayHaveRun;

    /** @param refusal the error of the backend, which did not run the command */
    public TryAgainException(String refusal) {
        this(refusal, false);
    }

    /** @param mayHaveRun whether the command may have run, or may yet run late */
    public TryAgainException(String message, boolean mayHaveRun) {
        this(message, mayHaveRun, null);
    }

    /** @param cause why the backend could not run it */
    public TryAgainException(String message, boolean mayHaveRun, @Nullable Throwable cause) {
        super(message, cause);
        this.mayHaveRun = mayHaveRun;
    }

    public boolean mayHaveRun() {
        return mayHaveRun;
    }
}
