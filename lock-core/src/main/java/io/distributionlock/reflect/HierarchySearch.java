package io.distributionlock.reflect;

import io.distributionlock.internal.Internal;
import java.lang.reflect.AnnotatedElement;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.util.ReflectionUtils;

/**
 * Finds out whether a class, a superclass or an interface of it has something, itself or in a method. Looks at each of them once, because
 * beans share many, and at none of the JDK: every bean is asked for at the start.
 *
 * @hidden
 */
@Internal
public final class HierarchySearch {

    private static final Log log = LogFactory.getLog(HierarchySearch.class);

    private final Predicate<AnnotatedElement> wanted;
    private final Map<Class<?>, Boolean> known = new ConcurrentHashMap<>();

    /** @param wanted whether a class or a method has it */
    public HierarchySearch(Predicate<AnnotatedElement> wanted) {
        this.wanted = wanted;
    }

    public boolean finds(Class<?> type) {
        return TypeHierarchy.of(type).stream().anyMatch(each -> known.computeIfAbsent(each, this::findsIn));
    }

    private boolean findsIn(Class<?> type) {
        try {
            return wanted.test(type)
                    || Stream.of(ReflectionUtils.getDeclaredMethods(type)).anyMatch(wanted);
        } catch (IllegalStateException e) {
            // An optional dependency is missing. Methods that cannot be loaded cannot be called either.
            log.debug("The methods of " + type.getName() + " cannot be read, so locks on them are not seen", e);
            return false;
        }
    }
}
