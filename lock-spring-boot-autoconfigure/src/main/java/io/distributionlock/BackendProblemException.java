package io.distributionlock;

import org.jspecify.annotations.Nullable;

/**
 * What went wrong at the backend in the words of this library, with what to do about it. The cause is what the backend's client
 * threw.
 *
 * <p>Stands as the cause in a {@link LockBackendException}, and stops the start of an application that asks for a check
 * ({@code distribution-lock.redis.check-on-start}).
 */
public class BackendProblemException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String description;
    private final String cure;

    /**
     * @param description what is wrong; a whole sentence
     * @param cure what to do about it; a whole sentence
     */
    public BackendProblemException(String description, String cure, @Nullable Throwable cause) {
        super(description + " " + cure, cause);
        this.description = description;
        this.cure = cure;
    }

    /** What is wrong. */
    public String description() {
        return description;
    }

    /** What to do about it. */
    public String cure() {
        return cure;
    }
}
