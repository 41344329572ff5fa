package io.distributionlock;

import org.jspecify.annotations.Nullable;

/** The base class of this library's exceptions about a lock, which it names. */
public abstract class LockException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String lockName;

    LockException(String lockName, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.lockName = lockName;
    }

    /** The name of the lock. */
    public String lockName() {
        return lockName;
    }
}
