package io.distributionlock.failure;

import org.springframework.core.ResolvableType;

/**
 * A {@link LockFailureMapper} as its bean definition describes it; the bean itself may not exist yet.
 *
 * @param name the name of the bean
 * @param type the type that it answers for; {@code Resp} and {@code Resp<?>} leave open what is inside, {@code Resp<String>} does not
 * @param primary whether it is preferred over equals
 * @param order its place among equals; the smaller is preferred
 */
record FailureMapperBean(String name, ResolvableType type, boolean primary, int order) {

    /** Whether its values may fit a method that returns this type. */
    boolean serves(ResolvableType returnType) {
        Class<?> rawType = type.toClass();
        boolean raw = type.getType() == rawType;
        return rawType != Object.class
                && (raw ? ResolvableType.forRawClass(rawType) : type).isAssignableFrom(returnType);
    }

    /** Whether the other serves every method that this one serves, but not the reverse. */
    boolean isMoreSpecificThan(FailureMapperBean other) {
        return other.serves(type) && !serves(other.type);
    }

    boolean isAsSpecificAs(FailureMapperBean other) {
        return other.serves(type) && serves(other.type);
    }

    String describe() {
        return "'" + name + "' (for " + type + ")";
    }
}
