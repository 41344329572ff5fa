package io.distributionlock.reflect;

import io.distributionlock.internal.Internal;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import org.springframework.aop.support.AopUtils;

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
        for (Class<?> type : TypeHierarchy.of(targetClass)) {
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
}
