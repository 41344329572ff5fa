package io.distributionlock.key;

import org.jspecify.annotations.Nullable;

/** Thrown for a value that has no text, which would be the same in every process. Its message goes on after the place of the value. */
final class UnsuitableValueException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String text;
    private final @Nullable String action;

    UnsuitableValueException(String message) {
        this(message, null);
    }

    UnsuitableValueException(String message, @Nullable String action) {
        this(message, action, null);
    }

    /** @param action what to do about it; {@code null} if the place of the value tells that */
    UnsuitableValueException(String message, @Nullable String action, @Nullable Throwable cause) {
        super(message, cause);
        this.text = message;
        this.action = action;
    }

    @Override
    public String getMessage() {
        return text;
    }

    @Nullable
    String action() {
        return action;
    }
}
