package io.distributionlock.key;

import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.KotlinDetector;

/** The components of a record, or of a data class of Kotlin, in their order. */
final class ValueComponents {

    private static final ClassValue<List<Component>> COMPONENTS = new ClassValue<>() {
        @Override
        protected List<Component> computeValue(Class<?> type) {
            return read(type);
        }
    };

    private ValueComponents() {}

    record Component(String name, Method accessor) {

        @Nullable
        Object valueIn(Object owner) {
            try {
                return accessor.invoke(owner);
            } catch (InvocationTargetException e) {
                throw unreadable(owner, e.getTargetException());
            } catch (IllegalAccessException e) {
                throw unreadable(owner, e);
            }
        }

        private UnsuitableValueException unreadable(Object owner, Throwable cause) {
            return new UnsuitableValueException(
                    "a " + owner.getClass().getName() + ", whose '" + name + "' cannot be read (" + cause + ")",
                    null,
                    cause);
        }
    }

    /** Empty if the class is neither. */
    static List<Component> of(Class<?> type) {
        return COMPONENTS.get(type);
    }

    private static List<Component> read(Class<?> type) {
        List<Component> components = new ArrayList<>();
        if (type.isRecord()) {
            for (RecordComponent component : type.getRecordComponents()) {
                components.add(new Component(component.getName(), component.getAccessor()));
            }
        } else {
            addComponentsOfDataClass(type, components);
        }
        components.forEach(component -> component.accessor().trySetAccessible());
        return List.copyOf(components);
    }

    // ------------------------------------------------------------------ data classes

    private static void addComponentsOfDataClass(Class<?> type, List<Component> components) {
        // The properties of the constructor come first.
        Iterator<Field> fields = Stream.of(type.getDeclaredFields())
                .filter(field -> !Modifier.isStatic(field.getModifiers()))
                .iterator();
        int count = countOfComponents(type);
        for (int number = 1; number <= count; number++) {
            Method accessor = component(type, number);
            if (accessor != null) {
                components.add(
                        new Component(fields.hasNext() ? fields.next().getName() : accessor.getName(), accessor));
            }
        }
    }

    /** As many as the generated {@code copy} takes: the class may have more functions with such names, and other copies. */
    private static int countOfComponents(Class<?> type) {
        return KotlinDetector.isKotlinType(type)
                ? Stream.of(type.getDeclaredMethods())
                        .filter(method ->
                                method.isSynthetic() && method.getName().matches("copy([-$].*)?\\$default"))
                        .mapToInt(copy -> countOfComponents(type, copy.getParameterTypes()))
                        .max()
                        .orElse(0)
                : 0;
    }

    /** @param taken the object, its components, a number for each 32 of these that says which are given, and a marker */
    private static int countOfComponents(Class<?> type, Class<?>[] taken) {
        int count = taken.length - 3;
        while (count + (count + 31) / 32 + 2 > taken.length) {
            count--;
        }
        for (int number = 1; number <= count; number++) {
            Method component = component(type, number);
            if (component == null || component.getReturnType() != taken[number]) {
                return 0;
            }
        }
        return count;
    }

    /** Its name has more after a dash if it returns a value class, and after a dollar sign if it is internal. */
    private static @Nullable Method component(Class<?> type, int number) {
        String name = "component" + number;
        return Stream.of(type.getDeclaredMethods())
                .filter(method -> method.getParameterCount() == 0
                        && !method.isBridge()
                        && (method.getName().equals(name)
                                || method.getName().startsWith(name + "-")
                                || method.getName().startsWith(name + "$")))
                .findFirst()
                .orElse(null);
    }
}
