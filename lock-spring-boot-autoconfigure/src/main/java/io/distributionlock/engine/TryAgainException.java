package io.distributionlock.engine;

/** The backend says that it cannot run a command now and soon will: it did not run. The same command may be sent again. */
public final class TryAgainException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** @param refusal what the backend said */
    public TryAgainException(String refusal) {
        super(refusal);
    }
}
