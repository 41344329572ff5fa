package io.distributionlock.reflect;

import io.distributionlock.internal.Internal;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import kotlin.jvm.JvmClassMappingKt;
import kotlin.reflect.KClass;
import kotlin.reflect.KFunction;
import kotlin.reflect.KParameter;
import kotlin.reflect.jvm.ReflectJvmMapping;
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

    /** The value class that a parameter is declared with, or {@code null} if there is none. Java mostly sees the type inside. */
    public static @Nullable Class<?> valueClassOf(Method method, int parameter) {
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

    /** How to open a final class or its final methods to proxies: Kotlin's are final unless they say otherwise. */
    public static String actionForFinal(Class<?> type, String actionInJava) {
        return KotlinDetector.isKotlinType(type)
                ? "Use Kotlin's compiler plugin 'spring' (kotlin-spring), which opens the classes of @Component and the like, or"
                        + " write 'open' before the class and the function."
                : actionInJava;
    }

    /** Whether the work behind a result of this type is a coroutine. */
    public static boolean isCoroutine(Class<?> type) {
        String name = type.getName();
        return name.equals("kotlinx.coroutines.flow.Flow") || name.equals("kotlinx.coroutines.Deferred");
    }

    /** Whether this is what a function returns that returns nothing. */
    public static boolean isUnit(ResolvableType type) {
        return type.resolve(Object.class).getName().equals("kotlin.Unit");
    }

    /** Whether this is a data class, whose values are equal if its components are. Needs no {@code kotlin-reflect}. */
    public static boolean isDataClass(Class<?> type) {
        return countOfComponents(type) > 0;
    }

    /** As many as the generated {@code copy} takes: the class may have more functions with such names, and other copies. */
    private static int countOfComponents(Class<?> type) {
        return KotlinDetector.isKotlinType(type)
                ? Stream.of(type.getDeclaredMethods())
                        .filter(method ->
                                method.isSynthetic() && method.getName().matches("copy([-$].*)?\\$default"))
                        .mapToInt(copy -> countOfComponents(type, copy.getParameterTypes()))
                        .max()
                        .orElse(0)
                : 0;
    }

    /** @param taken the object, its components, a number for each 32 of these that says which are given, and a marker */
    private static int countOfComponents(Class<?> type, Class<?>[] taken) {
        int count = taken.length - 3;
        while (count + (count + 31) / 32 + 2 > taken.length) {
            count--;
        }
        for (int number = 1; number <= count; number++) {
            Method component = component(type, number);
            if (component == null || component.getReturnType() != taken[number]) {
                return 0;
            }
        }
        return count;
    }

    /** What reads the components of a data class, by their names and in their order; none for another class. */
    public static Map<String, Method> componentsOf(Class<?> type) {
        Map<String, Method> components = new LinkedHashMap<>();
        // The properties of the constructor come first.
        Iterator<Field> fields = Stream.of(type.getDeclaredFields())
                .filter(field -> !Modifier.isStatic(field.getModifiers()))
                .iterator();
        int count = countOfComponents(type);
        for (int number = 1; number <= count; number++) {
            Method component = component(type, number);
            if (component != null) {
                components.put(fields.hasNext() ? fields.next().getName() : component.getName(), component);
            }
        }
        return components;
    }

    /** Its name has more after a dash if it returns a value class, and after a dollar sign if it is internal. */
    private static @Nullable Method component(Class<?> type, int number) {
        String name = "component" + number;
        return Stream.of(type.getDeclaredMethods())
                .filter(method -> method.getParameterCount() == 0
                        && !method.isBridge()
                        && (method.getName().equals(name)
                                || method.getName().startsWith(name + "-")
                                || method.getName().startsWith(name + "$")))
                .findFirst()
                .orElse(null);
    }

    /** Whether this is the generated {@code copy} of a data class, which repeats the annotations of the constructor. */
    public static boolean isCopy(Method method) {
        String name = method.getName();
        return (name.equals("copy") || name.startsWith("copy-"))
                && KotlinDetector.isKotlinType(method.getDeclaringClass());
    }
}
