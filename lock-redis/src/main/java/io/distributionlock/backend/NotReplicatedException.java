package io.distributionlock.backend;

import io.distributionlock.internal.Internal;

/**
 * A command ran, but fewer replicas than required have acknowledged it: a failover could undo it.
 *
 * @hidden
 */
@Internal
public final class NotReplicatedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public NotReplicatedException(String message) {
        super(message);
    }

    /** @param cause the error of the backend */
    public NotReplicatedException(String message, Throwable cause) {
        super(message, cause);
    }
}
