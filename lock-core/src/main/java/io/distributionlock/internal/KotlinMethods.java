package io.distributionlock.internal;

import java.lang.reflect.Method;
import org.springframework.core.KotlinDetector;
import org.springframework.core.MethodParameter;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;
import reactor.core.publisher.Mono;

/**
 * What Kotlin's compiler makes of functions. To Java, one that suspends has one more parameter, a {@code Continuation}, and returns an
 * {@code Object}; to the advice of a Spring proxy it returns a {@code Mono}.
 *
 * @hidden
 */
@Internal
public final class KotlinMethods {

    private static final String CONTINUATION = "kotlin.coroutines.Continuation";

    /** What Spring's proxies need to run suspending functions. */
    private static final boolean RUN_BY_SPRING =
            ClassUtils.isPresent("kotlinx.coroutines.reactor.MonoKt", KotlinMethods.class.getClassLoader())
                    && KotlinDetector.isKotlinReflectPresent();

    private KotlinMethods() {}

    public static boolean isSuspending(Method method) {
        Class<?>[] types = method.getParameterTypes();
        return types.length > 0 && types[types.length - 1].getName().equals(CONTINUATION);
    }

    /** Whether Spring's proxies make a {@code Mono} of this method. */
    public static boolean becomesMono(Method method) {
        return RUN_BY_SPRING && KotlinDetector.isSuspendingFunction(method);
    }

    /** The number of parameters without the continuation. */
    public static int parametersOf(Method method) {
        return method.getParameterCount() - (isSuspending(method) ? 1 : 0);
    }

    /** What the method returns to the advice of a proxy. */
    public static ResolvableType returnTypeOf(Method method, Class<?> targetClass) {
        ResolvableType declared = ResolvableType.forMethodReturnType(method, targetClass);
        return becomesMono(method) ? ResolvableType.forClassWithGenerics(Mono.class, declared) : declared;
    }

    /** The name in the source. The compiler appends to it for value classes ({@code -}) and what is internal ({@code $}). */
    public static String nameOf(Method method) {
        String name = method.getName();
        return KotlinDetector.isKotlinType(method.getDeclaringClass()) ? name.split("[-$]", 2)[0] : name;
    }

    /** Whether a function must not return {@code null}. */
    public static boolean isNeverNull(Method method) {
        return KotlinDetector.isKotlinReflectPresent()
                && KotlinDetector.isKotlinType(method.getDeclaringClass())
                && !new MethodParameter(method, -1).isOptional();
    }

    /** Whether this is what a function returns that returns nothing. */
    public static boolean isUnit(ResolvableType type) {
        return type.resolve(Object.class).getName().equals("kotlin.Unit");
    }

    /** Whether this is the generated {@code copy} of a data class, which repeats the annotations of the constructor. */
    public static boolean isCopy(Method method) {
        String name = method.getName();
        return (name.equals("copy") || name.startsWith("copy-"))
                && KotlinDetector.isKotlinType(method.getDeclaringClass());
    }

    /** How to open a final class or its final methods to proxies: Kotlin's are final unless they say otherwise. */
    public static String actionForFinal(Class<?> type, String actionInJava) {
        return KotlinDetector.isKotlinType(type)
                ? "Use Kotlin's compiler plugin 'spring' (kotlin-spring), which opens the classes of @Component and the like, or"
                        + " write 'open' before the class and the function."
                : actionInJava;
    }
}
