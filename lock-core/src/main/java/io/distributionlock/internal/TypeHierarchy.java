package io.distributionlock.internal;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.aop.support.AopUtils;
import org.springframework.util.ReflectionUtils;

/**
 * A class, its superclasses and all its interfaces, nearest first, without those of the JDK.
 *
 * @hidden
 */
@Internal
public final class TypeHierarchy {

    private static final Log log = LogFactory.getLog(TypeHierarchy.class);

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

    /**
     * Tells whether a class, a superclass or an interface of it has something, itself or in a method. Looks at each of them once, because
     * beans share many: every bean is asked for at the start.
     *
     * @param wanted whether a class or a method has it
     */
    public static Predicate<Class<?>> search(Predicate<AnnotatedElement> wanted) {
        Map<Class<?>, Boolean> known = new ConcurrentHashMap<>();
        return type -> of(type).stream().anyMatch(each -> known.computeIfAbsent(each, one -> has(one, wanted)));
    }

    private static boolean has(Class<?> type, Predicate<AnnotatedElement> wanted) {
        try {
            return wanted.test(type)
                    || Stream.of(ReflectionUtils.getDeclaredMethods(type)).anyMatch(wanted);
        } catch (IllegalStateException e) {
            // An optional dependency is missing. Methods that cannot be loaded cannot be called either.
            log.debug("The methods of " + type.getName() + " cannot be read, so locks on them are not seen", e);
            return false;
        }
    }

    private static boolean addUnlessOfJdk(Set<Class<?>> types, Class<?> type) {
        return !type.getName().startsWith("java.") && types.add(type);
    }
}
