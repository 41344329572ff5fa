package io.distributionlock.aop;

import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;

/**
 * The type that a mapper answers for, and which return types it serves: its own and, since its value may happen to fit, those
 * below it. {@code Resp} and {@code Resp<?>} leave open what is inside; {@code Resp<String>} does not.
 */
final class FailureMapperType {

    private final ResolvableType type;
    private final Class<?> rawType;

    FailureMapperType(ResolvableType type) {
        this.type = type;
        this.rawType = type.resolve(Object.class);
    }

    boolean serves(ResolvableType returnType) {
        Class<?> returned = returnType.resolve();
        if (returned == null || rawType == Object.class) {
            return false;
        }
        Class<?> boxed = ClassUtils.resolvePrimitiveIfNecessary(returned);
        if (!rawType.isAssignableFrom(boxed)) {
            return false;
        }
        return !type.hasGenerics() || sameGenerics(type, returnType.as(rawType));
    }

    /** Whether this type says more than the other: every method that it serves is served by the other, but not the reverse. */
    boolean isMoreSpecificThan(FailureMapperType other) {
        return other.serves(type) && !serves(other.type);
    }

    boolean isAsSpecificAs(FailureMapperType other) {
        return other.serves(type) && serves(other.type);
    }

    private static boolean sameGenerics(ResolvableType expected, ResolvableType actual) {
        ResolvableType[] expectedGenerics = expected.getGenerics();
        for (int i = 0; i < expectedGenerics.length; i++) {
            if (!fits(expectedGenerics[i], actual.getGeneric(i))) {
                return false;
            }
        }
        return true;
    }

    private static boolean fits(ResolvableType expected, ResolvableType actual) {
        if (leavesOpen(expected)) {
            return true;
        }
        if (leavesOpen(actual)) {
            return false;
        }
        Class<?> expectedClass = classOf(expected);
        Class<?> actualClass = classOf(actual);
        if (expectedClass == null || actualClass == null) {
            return false;
        }
        boolean classFits = isWildcard(expected) && !isWildcard(actual)
                ? expectedClass.isAssignableFrom(actualClass)
                : expectedClass == actualClass;
        return classFits && (!expected.hasGenerics() || sameGenerics(expected, actual));
    }

    /** An unbounded wildcard or a type variable says nothing of what is inside. */
    private static boolean leavesOpen(ResolvableType generic) {
        Class<?> resolved = classOf(generic);
        return resolved == null || (resolved == Object.class && isWildcard(generic));
    }

    private static boolean isWildcard(ResolvableType generic) {
        return generic.getType() instanceof java.lang.reflect.WildcardType;
    }

    private static @Nullable Class<?> classOf(ResolvableType generic) {
        return generic.resolve();
    }

    @Override
    public String toString() {
        return type.toString();
    }
}
