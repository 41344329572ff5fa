package io.distributionlock.reflect;

import io.distributionlock.internal.Internal;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * A class, its superclasses and all its interfaces, nearest first, without those of the JDK.
 *
 * @hidden
 */
@Internal
public final class TypeHierarchy {

    private TypeHierarchy() {}

    public static Set<Class<?>> of(Class<?> type) {
        Set<Class<?>> types = new LinkedHashSet<>();
        Deque<Class<?>> interfaces = new ArrayDeque<>();
        for (Class<?> current = type; current != null; current = current.getSuperclass()) {
            addUnlessOfJdk(types, current);
            Collections.addAll(interfaces, current.getInterfaces());
        }
        while (!interfaces.isEmpty()) {
            Class<?> current = interfaces.remove();
            if (addUnlessOfJdk(types, current)) {
                Collections.addAll(interfaces, current.getInterfaces());
            }
        }
        return types;
    }

    private static boolean addUnlessOfJdk(Set<Class<?>> types, Class<?> type) {
        return !type.getName().startsWith("java.") && types.add(type);
    }
}
