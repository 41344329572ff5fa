package io.distributionlock.key;

import io.distributionlock.reflect.KotlinTypes;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

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
            KotlinTypes.componentsOf(type).forEach((name, accessor) -> components.add(new Component(name, accessor)));
        }
        components.forEach(component -> component.accessor().trySetAccessible());
        return List.copyOf(components);
    }
}
