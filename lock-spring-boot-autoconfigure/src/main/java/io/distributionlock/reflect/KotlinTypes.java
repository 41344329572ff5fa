package io.distributionlock.reflect;

import io.distributionlock.internal.Internal;
import java.lang.reflect.Method;
import java.util.List;
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

    /** The value class of a parameter, of which Java sees only the value inside; {@code null} if it has none. */
    public static @Nullable Class<?> valueClassOf(Method method, int parameter) {
        // The compiler mangles the name of a function with such parameters.
        if (method.getName().indexOf('-') < 0 || !KotlinDetector.isKotlinReflectPresent()) {
            return null;
        }
        Object function = call("kotlin.reflect.jvm.ReflectJvmMapping", "getKotlinFunction", Method.class, method);
        if (function == null) {
            return null;
        }
        // The receiver comes first; the continuation of a suspending function is not among them.
        if (!(call("kotlin.reflect.KCallable", "getParameters", function) instanceof List<?> parameters)
                || parameters.size() <= parameter + 1) {
            return null;
        }
        Object type = call("kotlin.reflect.KParameter", "getType", parameters.get(parameter + 1));
        Object classifier = call("kotlin.reflect.KType", "getClassifier", type);
        Class<?> kotlinClass = type("kotlin.reflect.KClass");
        if (!kotlinClass.isInstance(classifier)) {
            return null;
        }
        Class<?> declared = (Class<?>) call("kotlin.jvm.JvmClassMappingKt", "getJavaClass", kotlinClass, classifier);
        return declared == null
                        || declared == method.getParameterTypes()[parameter]
                        || !KotlinDetector.isKotlinType(declared)
                ? null
                : declared;
    }

    private static @Nullable Object call(String type, String method, @Nullable Object target) {
        return ReflectionUtils.invokeMethod(ClassUtils.getMethod(type(type), method), target);
    }

    private static @Nullable Object call(String type, String method, Class<?> taken, @Nullable Object argument) {
        return ReflectionUtils.invokeMethod(ClassUtils.getMethod(type(type), method, taken), null, argument);
    }

    private static Class<?> type(String name) {
        return ClassUtils.resolveClassName(name, KotlinTypes.class.getClassLoader());
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
