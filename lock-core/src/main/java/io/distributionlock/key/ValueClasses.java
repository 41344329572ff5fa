package io.distributionlock.key;

import java.lang.reflect.Method;
import kotlin.jvm.JvmClassMappingKt;
import kotlin.reflect.KClass;
import kotlin.reflect.KFunction;
import kotlin.reflect.KParameter;
import kotlin.reflect.jvm.ReflectJvmMapping;
import org.jspecify.annotations.Nullable;
import org.springframework.core.KotlinDetector;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/** The value classes of Kotlin. */
final class ValueClasses {

    private ValueClasses() {}

    /** What is inside of an object of a value class. Java sees such an object only where a type is nullable or generic. */
    static @Nullable Object unboxed(Object value) {
        if (!KotlinDetector.isInlineClass(value.getClass())) {
            return value;
        }
        Method unbox = ClassUtils.getMethod(value.getClass(), "unbox-impl");
        ReflectionUtils.makeAccessible(unbox);
        return ReflectionUtils.invokeMethod(unbox, value);
    }

    /** The value class that a parameter is declared with, or {@code null} if there is none. Java mostly sees the type inside. */
    static @Nullable Class<?> valueClassOf(Method method, int parameter) {
        return KotlinDetector.isKotlinReflectPresent() && KotlinDetector.isKotlinType(method.getDeclaringClass())
                ? Declarations.valueClassOf(method, parameter)
                : null;
    }

    /** Not loaded without {@code kotlin-reflect}. */
    private static final class Declarations {

        static @Nullable Class<?> valueClassOf(Method method, int parameter) {
            KFunction<?> function = ReflectJvmMapping.getKotlinFunction(method);
            if (function == null) {
                return null;
            }
            KParameter declared = function.getParameters().stream()
                    .filter(each -> each.getKind() != KParameter.Kind.INSTANCE)
                    .toList()
                    .get(parameter);
            return declared.getType().getClassifier() instanceof KClass<?> type && type.isValue()
                    ? JvmClassMappingKt.getJavaClass(type)
                    : null;
        }
    }
}
