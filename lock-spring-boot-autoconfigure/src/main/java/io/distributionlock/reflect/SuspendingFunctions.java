package io.distributionlock.reflect;

import io.distributionlock.internal.Internal;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.KotlinDetector;
import org.springframework.core.MethodParameter;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;
import reactor.core.publisher.Mono;

/**
 * Kotlin's suspending functions. To Java they have one more parameter, a {@code Continuation}, and return an {@code Object}; to the
 * advice of a Spring proxy they return a {@code Mono}.
 *
 * @hidden
 */
@Internal
public final class SuspendingFunctions {

    private static final String CONTINUATION = "kotlin.coroutines.Continuation";

    /** What Spring's proxies need to run suspending functions. */
    private static final boolean RUN_BY_SPRING =
            ClassUtils.isPresent("kotlinx.coroutines.reactor.MonoKt", SuspendingFunctions.class.getClassLoader())
                    && KotlinDetector.isKotlinReflectPresent();

    private SuspendingFunctions() {}

    public static boolean contain(Method method) {
        Class<?>[] types = method.getParameterTypes();
        return types.length > 0 && types[types.length - 1].getName().equals(CONTINUATION);
    }

    /** Whether Spring's proxies make a {@code Mono} of this method. */
    public static boolean becomeMono(Method method) {
        return RUN_BY_SPRING && KotlinDetector.isSuspendingFunction(method);
    }

    /**
     * Calls a method, suspending or not, with exactly these arguments. Its exceptions pass through unchanged.
     *
     * @return a {@code Mono} if it is suspending
     */
    public static @Nullable Object call(Method method, @Nullable Object target, @Nullable Object[] arguments)
            throws Throwable {
        return AopUtils.invokeJoinpointUsingReflection(target, method, arguments);
    }

    /** The number of parameters without the continuation. */
    public static int parametersOf(Method method) {
        return method.getParameterCount() - (contain(method) ? 1 : 0);
    }

    /** What the method returns to the advice of a proxy. */
    public static ResolvableType returnTypeOf(Method method, Class<?> targetClass) {
        return becomeMono(method)
                ? ResolvableType.forClassWithGenerics(Mono.class, resultOf(method, targetClass))
                : ResolvableType.forMethodReturnType(method, targetClass);
    }

    /** What the method returns in its source. */
    public static ResolvableType resultOf(Method method, Class<?> targetClass) {
        if (!contain(method)) {
            return ResolvableType.forMethodReturnType(method, targetClass);
        }
        int last = method.getParameterCount() - 1;
        MethodParameter continuation = new MethodParameter(method, last).withContainingClass(targetClass);
        return method.getGenericParameterTypes()[last] instanceof ParameterizedType type
                ? ResolvableType.forMethodParameter(continuation, taken(type.getActualTypeArguments()[0]))
                : ResolvableType.forClass(Object.class);
    }

    /** A continuation is declared to take {@code ? super T}. */
    private static Type taken(Type argument) {
        return argument instanceof WildcardType wildcard && wildcard.getLowerBounds().length > 0
                ? wildcard.getLowerBounds()[0]
                : argument;
    }
}
