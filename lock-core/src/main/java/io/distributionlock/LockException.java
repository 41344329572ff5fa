package io.distributionlock;

import org.jspecify.annotations.Nullable;

/** The root of this library's exceptions. What a caller passes wrongly is an {@link IllegalArgumentException}, as everywhere. */
public abstract class LockException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    protected LockException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
