package io.distributionlock;

import org.jspecify.annotations.Nullable;

/** The root of the exceptions of this library; always names the lock. */
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
