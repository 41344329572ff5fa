package io.distributionlock.aop;

import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.DistributionLockParam;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.MethodClassKey;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;

/**
 * Finds the locks of methods, each once, and remembers them. An annotation counts wherever it stands: on the method, on one
 * that it overrides or implements, or on an annotation that stands there.
 */
final class LockedMethods {

    private final Map<MethodClassKey, Optional<LockedMethod>> methods = new ConcurrentHashMap<>();
    private final Map<Class<?>, Boolean> types = new ConcurrentHashMap<>();

    /** The lock of a method as called on an object of the target class, or {@code null} if it has none. */
    @Nullable
    LockedMethod find(Method method, Class<?> targetClass) {
        Class<?> userClass = ClassUtils.getUserClass(targetClass);
        MethodClassKey key = new MethodClassKey(method, userClass);
        Optional<LockedMethod> known = methods.get(key);
        if (known == null) {
            // Not computeIfAbsent: reading an overridden method looks up the overriding one in the same map.
            Optional<LockedMethod> read = read(method, userClass);
            known = Optional.ofNullable(methods.putIfAbsent(key, read)).orElse(read);
        }
        return known.orElse(null);
    }

    /** Whether any method of the class has a lock. */
    boolean anyIn(Class<?> targetClass) {
        return types.computeIfAbsent(
                ClassUtils.getUserClass(targetClass),
                type -> TypeHierarchy.of(type).stream().anyMatch(LockedMethods::declaresLock));
    }

    /** Every locked method of a class, also those that a proxy cannot reach. */
    List<LockedMethod> allIn(Class<?> targetClass) {
        List<LockedMethod> found = new ArrayList<>();
        Class<?> userClass = ClassUtils.getUserClass(targetClass);
        for (Class<?> type : TypeHierarchy.of(userClass)) {
            for (Method method : DeclaredMethods.of(type)) {
                LockedMethod locked = method.isBridge() ? null : find(method, userClass);
                if (locked != null
                        && found.stream().noneMatch(other -> other.method().equals(locked.method()))) {
                    found.add(locked);
                }
            }
        }
        return found;
    }

    private static boolean declaresLock(Class<?> type) {
        for (Method method : DeclaredMethods.of(type)) {
            if (AnnotatedElementUtils.isAnnotated(method, DistributionLock.class)) {
                return true;
            }
        }
        return false;
    }

    private Optional<LockedMethod> read(Method method, Class<?> userClass) {
        Method specific = isOverridable(method) ? AopUtils.getMostSpecificMethod(method, userClass) : method;
        if (!specific.equals(method)) {
            return Optional.ofNullable(find(specific, userClass));
        }
        List<Method> hierarchy = MethodHierarchy.of(specific, userClass);
        for (Method declared : hierarchy) {
            MergedAnnotation<DistributionLock> annotation =
                    MergedAnnotations.from(declared, SearchStrategy.DIRECT).get(DistributionLock.class);
            if (annotation.isPresent()) {
                return Optional.of(locked(specific, userClass, hierarchy, annotation.synthesize()));
            }
        }
        return Optional.empty();
    }

    private static LockedMethod locked(
            Method method, Class<?> userClass, List<Method> hierarchy, DistributionLock annotation) {
        LockDeclaration declaration = new LockDeclaration(method, userClass, hierarchy, annotation);
        return new LockedMethod(declaration, LockRules.check(method, annotation));
    }

    private static boolean isOverridable(Method method) {
        return !Modifier.isPrivate(method.getModifiers()) && !Modifier.isStatic(method.getModifiers());
    }

    /** The methods of a class that mark a parameter although nothing locks them. */
    List<Method> withParameterButNoLock(Class<?> targetClass) {
        List<Method> found = new ArrayList<>();
        Class<?> userClass = ClassUtils.getUserClass(targetClass);
        for (Class<?> type : TypeHierarchy.of(userClass)) {
            for (Method method : DeclaredMethods.of(type)) {
                if (!method.isBridge() && marksParameter(method) && find(method, userClass) == null) {
                    found.add(method);
                }
            }
        }
        return found;
    }

    private static boolean marksParameter(Method method) {
        for (Parameter parameter : method.getParameters()) {
            if (AnnotatedElementUtils.isAnnotated(parameter, DistributionLockParam.class)) {
                return true;
            }
        }
        return false;
    }
}
