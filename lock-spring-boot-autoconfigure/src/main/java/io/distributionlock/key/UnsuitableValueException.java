package io.distributionlock.key;

import org.jspecify.annotations.Nullable;

/** Thrown for a value that has no text, which would be the same in every process. Its message goes on after the place of the value. */
final class UnsuitableValueException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String text;

    UnsuitableValueException(String message) {
        this(message, null);
    }

    UnsuitableValueException(String message, @Nullable Throwable cause) {
        super(message, cause);
        this.text = message;
    }

    @Override
    public String getMessage() {
        return text;
    }
}
