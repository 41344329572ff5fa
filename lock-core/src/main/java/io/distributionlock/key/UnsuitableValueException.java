package io.distributionlock.key;

import org.jspecify.annotations.Nullable;

/** Thrown for a value that has no text, which would be the same in every process. Its message goes on after the place of the value. */
final class UnsuitableValueException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String text;
    private final @Nullable String cure;

    UnsuitableValueException(String message) {
        this(message, null);
    }

    UnsuitableValueException(String message, @Nullable String cure) {
        this(message, cure, null);
    }

    /** @param cure what to do about it; {@code null} if the place of the value tells that */
    UnsuitableValueException(String message, @Nullable String cure, @Nullable Throwable cause) {
        super(message, cause);
        this.text = message;
        this.cure = cure;
    }

    @Override
    public String getMessage() {
        return text;
    }

    @Nullable
    String cure() {
        return cure;
    }
}
