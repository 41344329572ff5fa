package io.distributionlock.backend;

import io.distributionlock.internal.Internal;

/**
 * The backend cannot run the command yet: it did not run, and may be sent again.
 *
 * @hidden
 */
@Internal
public final class TryAgainException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** @param refusal the error of the backend */
    public TryAgainException(String refusal) {
        super(refusal);
    }
}
