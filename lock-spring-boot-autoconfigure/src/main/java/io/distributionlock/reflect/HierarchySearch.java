package io.distributionlock.reflect;

import io.distributionlock.internal.Internal;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * Finds out whether a class, a superclass or an interface of it has something, itself or in a method. Looks at each of them once, because
 * beans share many, and at none of the JDK or of {@linkplain TypeHierarchy#isOfSpring Spring}, whose classes inherit nothing of an
 * application: every bean is asked for at the start.
 *
 * @hidden
 */
@Internal
public final class HierarchySearch {

    private final Predicate<AnnotatedElement> wanted;
    private final Map<Class<?>, Boolean> known = new ConcurrentHashMap<>();

    /** @param wanted whether a class or a method has it */
    public HierarchySearch(Predicate<AnnotatedElement> wanted) {
        this.wanted = wanted;
    }

    public boolean finds(Class<?> type) {
        if (TypeHierarchy.isOfJdk(type) || TypeHierarchy.isOfSpring(type)) {
            return false;
        }
        Boolean found = known.get(type);
        if (found == null) {
            // Not computeIfAbsent: the superclasses and interfaces are looked up in the same map.
            found = wanted.test(type) || findsMethod(type) || findsInherited(type);
            known.put(type, found);
        }
        return found;
    }

    private boolean findsMethod(Class<?> type) {
        for (Method method : DeclaredMethods.of(type)) {
            if (wanted.test(method)) {
                return true;
            }
        }
        return false;
    }

    private boolean findsInherited(Class<?> type) {
        if (type.getSuperclass() != null && finds(type.getSuperclass())) {
            return true;
        }
        for (Class<?> inherited : type.getInterfaces()) {
            if (finds(inherited)) {
                return true;
            }
        }
        return false;
    }
}
