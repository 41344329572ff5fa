package io.distributionlock.key;

/** The text of a value in a lock name, by its {@link ValueKind}. */
final class KeyText {

    private KeyText() {}

    /** @throws UnsuitableValueException if the value has no text; the message is a sentence that goes on after its place */
    static String of(Object value) {
        if (value instanceof String || value instanceof Long || value instanceof Integer) {
            // Nearly every call has one of these, and its cost is counted in bytes.
            return value.toString();
        }
        Class<?> type = value.getClass();
        if (Unsuitable.isMany(type)) {
            throw new UnsuitableValueException(
                    "is a " + type.getSimpleName() + ", which is not one value.",
                    "Use a single value, or something that stands for the whole.");
        }
        ValueText text = new ValueText();
        try {
            return text.whole(value);
        } catch (UnsuitableValueException e) {
            throw new UnsuitableValueException(Unsuitable.sentence(type, text.path(), e.getMessage()), e.action(), e);
        } catch (RuntimeException e) {
            throw new UnsuitableValueException(Unsuitable.sentence(type, text.path(), "not readable: " + e), null, e);
        }
    }
}
