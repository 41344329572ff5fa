package io.distributionlock.key;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The fields that the {@code toString()} of a class may print: those of instances, without transient ones.
 *
 * @param unknownParent a superclass of the JDK with fields that may print anything: what they hold cannot be seen
 */
record OwnFields(List<Field> fields, @Nullable Class<?> unknownParent) {

    private static final ClassValue<OwnFields> FIELDS = new ClassValue<>() {
        @Override
        protected OwnFields computeValue(Class<?> type) {
            return read(type);
        }
    };

    static OwnFields of(Class<?> type) {
        return FIELDS.get(type);
    }

    /** A lock, or what is behind a property that Kotlin delegates. */
    private static boolean isNeverPrinted(Field field) {
        return field.getName().endsWith("$delegate") || isLock(field.getType());
    }

    private static boolean isLock(Class<?> type) {
        return type.getName().startsWith("java.util.concurrent.locks.");
    }

    /** Whether a field holds a lock or a monitor, which no {@code toString()} prints. */
    static boolean isLock(Field field, Object value) {
        return isLock(value.getClass()) || (value.getClass() == Object.class && Modifier.isFinal(field.getModifiers()));
    }

    private static OwnFields read(Class<?> type) {
        List<Field> fields = new ArrayList<>();
        for (Class<?> current = type; current != null; current = current.getSuperclass()) {
            boolean isOfJdk = ValueKind.isOfJdk(current);
            for (Field field : current.getDeclaredFields()) {
                if (field.isSynthetic()
                        || isNeverPrinted(field)
                        || (field.getModifiers() & (Modifier.STATIC | Modifier.TRANSIENT)) != 0) {
                    continue;
                }
                if (!isOfJdk) {
                    fields.add(field);
                    field.trySetAccessible();
                } else if (!Unsuitable.SINGLE.contains(ValueKind.of(field.getType()))) {
                    return new OwnFields(List.copyOf(fields), current);
                }
            }
        }
        return new OwnFields(List.copyOf(fields), null);
    }
}
