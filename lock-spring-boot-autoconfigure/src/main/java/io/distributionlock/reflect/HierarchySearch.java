package io.distributionlock.reflect;

import io.distributionlock.internal.Internal;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * Finds out whether a class, a superclass or an interface of it has something. Looks at each of them once, because beans share many, and
 * at none of the JDK or of {@linkplain TypeHierarchy#isOfSpring Spring}: every bean of an application is asked for at its start.
 *
 * @hidden
 */
@Internal
public final class HierarchySearch {

    private final Predicate<Class<?>> wanted;
    private final Map<Class<?>, Boolean> known = new ConcurrentHashMap<>();

    /** @param wanted whether a class itself has it */
    public HierarchySearch(Predicate<Class<?>> wanted) {
        this.wanted = wanted;
    }

    public boolean finds(Class<?> type) {
        if (TypeHierarchy.isOfJdk(type)) {
            return false;
        }
        Boolean found = known.get(type);
        if (found == null) {
            // Not computeIfAbsent: the superclasses and interfaces are looked up in the same map.
            found = (!TypeHierarchy.isOfSpring(type) && wanted.test(type)) || findsInherited(type);
            known.put(type, found);
        }
        return found;
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
