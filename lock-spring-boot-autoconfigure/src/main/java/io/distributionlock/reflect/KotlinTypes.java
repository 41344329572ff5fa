package io.distributionlock.reflect;

import io.distributionlock.internal.Internal;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;
import org.springframework.core.KotlinDetector;
import org.springframework.core.MethodParameter;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * What Kotlin knows of its types beyond Java. Most of it needs {@code kotlin-reflect}.
 *
 * @hidden
 */
@Internal
public final class KotlinTypes {

    static final String FLOW = "kotlinx.coroutines.flow.Flow";
    static final String DEFERRED = "kotlinx.coroutines.Deferred";

    /** Whether {@link KotlinDeferred} can be used. */
    static final boolean CONVERTS_DEFERRED =
            ClassUtils.isPresent("kotlinx.coroutines.future.FutureKt", KotlinTypes.class.getClassLoader());

    private KotlinTypes() {}

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

    /** What is inside of an object of a value class. Java sees such an object only where a type is nullable or generic. */
    public static @Nullable Object unboxed(Object value) {
        if (!KotlinDetector.isInlineClass(value.getClass())) {
            return value;
        }
        Method unbox = ClassUtils.getMethod(value.getClass(), "unbox-impl");
        ReflectionUtils.makeAccessible(unbox);
        return ReflectionUtils.invokeMethod(unbox, value);
    }

    /** How to open a final class or its final methods to proxies: Kotlin's are final unless they say otherwise. */
    public static String cureOfFinal(Class<?> type, String cureInJava) {
        return KotlinDetector.isKotlinType(type)
                ? "Use Kotlin's compiler plugin 'spring' (kotlin-spring), which opens the classes of @Component and the like, or"
                        + " write 'open' before the class and the function."
                : cureInJava;
    }

    public static boolean isFlow(Class<?> type) {
        return type.getName().equals(FLOW);
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
}
