package io.distributionlock.reflect;

import io.distributionlock.internal.Internal;
import java.lang.reflect.Method;
import org.springframework.core.KotlinDetector;
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

    /** The number of parameters without the continuation. */
    public static int parametersOf(Method method) {
        return method.getParameterCount() - (contain(method) ? 1 : 0);
    }

    /** What the method returns to the advice of a proxy. */
    public static ResolvableType returnTypeOf(Method method, Class<?> targetClass) {
        ResolvableType declared = ResolvableType.forMethodReturnType(method, targetClass);
        return becomeMono(method) ? ResolvableType.forClassWithGenerics(Mono.class, declared) : declared;
    }
}
