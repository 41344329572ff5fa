package io.distributionlock.key;

import io.distributionlock.LockException;
import io.distributionlock.internal.MethodText;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/** Thrown when the arguments of a call make no lock name, or do not tell whether it needs the lock; the method does not run. */
public class LockKeyException extends LockException {

    private static final long serialVersionUID = 1L;

    /** @param message names the method and the parameter, and says what to do */
    public LockKeyException(String message) {
        this(message, null);
    }

    /** @param message names the method and the parameter, and says what to do */
    public LockKeyException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /** @param complaint a sentence about the part of the name that cannot be made */
    static LockKeyException of(Method method, String complaint, @Nullable Throwable cause) {
        return new LockKeyException("No lock name can be made for " + MethodText.of(method) + ": " + complaint, cause);
    }
}
