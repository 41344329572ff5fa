package io.distributionlock.aop;

import java.lang.reflect.Method;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.core.KotlinDetector;
import org.springframework.core.MethodParameter;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/** What Kotlin says of its types beyond what Java can say, as far as it can be read: for most of it {@code kotlin-reflect} has to be there. */
final class KotlinTypes {

    private KotlinTypes() {}

    /** Whether a function must not return {@code null}. */
    static boolean isNeverNull(Method method) {
        return KotlinDetector.isKotlinReflectPresent()
                && KotlinDetector.isKotlinType(method.getDeclaringClass())
                && !new MethodParameter(method, -1).isOptional();
    }

    /** The value class that a parameter is of, of which Java sees only what is inside; {@code null} if it is of none. */
    static @Nullable Class<?> valueClassOf(Method method, int parameter) {
        // A function with such parameters has a name that no Java method has.
        if (method.getName().indexOf('-') < 0 || !KotlinDetector.isKotlinReflectPresent()) {
            return null;
        }
        Object function = call("kotlin.reflect.jvm.ReflectJvmMapping", "getKotlinFunction", Method.class, method);
        if (function == null) {
            return null;
        }
        // The object itself comes first, and what a suspending function is resumed by is none of them.
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

    /** Whether the compiler has written a function that the source does not have, with the annotations of the constructor. */
    static boolean isCopy(Method method) {
        String name = method.getName();
        return (name.equals("copy") || name.startsWith("copy-"))
                && KotlinDetector.isKotlinType(method.getDeclaringClass());
    }
}
