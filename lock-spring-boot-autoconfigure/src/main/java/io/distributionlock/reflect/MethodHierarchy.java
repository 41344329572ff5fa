package io.distributionlock.reflect;

import io.distributionlock.internal.Internal;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.springframework.core.ResolvableType;

/**
 * A method and every declaration that it overrides or implements, seen from one class, nearest first.
 *
 * @hidden
 */
@Internal
public final class MethodHierarchy {

    private MethodHierarchy() {}

    public static List<Method> of(Method method, Class<?> targetClass) {
        List<Method> declarations = new ArrayList<>();
        declarations.add(method);
        if (!canOverride(method)) {
            return declarations;
        }
        for (Class<?> type : TypeHierarchy.of(targetClass)) {
            for (Method candidate : DeclaredMethods.of(type)) {
                if (!candidate.equals(method)
                        && canOverride(candidate)
                        && !candidate.isBridge()
                        && hasSameSignature(method, candidate, targetClass)) {
                    declarations.add(candidate);
                }
            }
        }
        return declarations;
    }

    private static boolean canOverride(Method method) {
        return !Modifier.isPrivate(method.getModifiers()) && !Modifier.isStatic(method.getModifiers());
    }

    private static boolean hasSameSignature(Method method, Method candidate, Class<?> targetClass) {
        if (!candidate.getName().equals(method.getName())
                || candidate.getParameterCount() != method.getParameterCount()) {
            return false;
        }
        if (Arrays.equals(candidate.getParameterTypes(), method.getParameterTypes())) {
            return true;
        }
        for (int i = 0; i < method.getParameterCount(); i++) {
            Class<?> inCandidate =
                    ResolvableType.forMethodParameter(candidate, i, targetClass).resolve(Object.class);
            Class<?> inMethod =
                    ResolvableType.forMethodParameter(method, i, targetClass).resolve(Object.class);
            if (inCandidate != inMethod) {
                return false;
            }
        }
        return true;
    }
}
