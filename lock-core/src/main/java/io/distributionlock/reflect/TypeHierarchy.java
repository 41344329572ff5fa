package io.distributionlock.reflect;

import io.distributionlock.internal.Internal;
import java.lang.reflect.Method;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.springframework.aop.support.AopUtils;

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

    /** A method and every declaration that it overrides or implements, seen from one class, nearest first. */
    public static List<Method> declarationsOf(Method method, Class<?> targetClass) {
        List<Method> declarations = new ArrayList<>();
        declarations.add(method);
        for (Class<?> type : of(targetClass)) {
            for (Method candidate : type.getDeclaredMethods()) {
                if (!candidate.equals(method)
                        && !candidate.isBridge()
                        && candidate.getName().equals(method.getName())
                        && AopUtils.getMostSpecificMethod(candidate, targetClass)
                                .equals(method)) {
                    declarations.add(candidate);
                }
            }
        }
        return declarations;
    }

    private static boolean addUnlessOfJdk(Set<Class<?>> types, Class<?> type) {
        return !type.getName().startsWith("java.") && types.add(type);
    }
}
