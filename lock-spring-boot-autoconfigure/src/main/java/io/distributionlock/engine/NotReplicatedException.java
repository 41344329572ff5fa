package io.distributionlock.engine;

/** A command ran, but fewer replicas than required have acknowledged it: a failover could undo it. */
public final class NotReplicatedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public NotReplicatedException(String message) {
        super(message);
    }
}
