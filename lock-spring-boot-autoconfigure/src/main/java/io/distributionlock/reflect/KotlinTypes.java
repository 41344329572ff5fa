package io.distributionlock.reflect;

import io.distributionlock.internal.Internal;
import java.lang.reflect.Method;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.core.KotlinDetector;
import org.springframework.core.MethodParameter;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * What Kotlin knows of its types beyond Java. Most of it needs {@code kotlin-reflect}.
 *
 * @hidden
 */
@Internal
public final class KotlinTypes {

    private KotlinTypes() {}

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

    /** Whether this is the generated {@code copy} of a data class, which repeats the annotations of the constructor. */
    public static boolean isCopy(Method method) {
        String name = method.getName();
        return (name.equals("copy") || name.startsWith("copy-"))
                && KotlinDetector.isKotlinType(method.getDeclaringClass());
    }
}
