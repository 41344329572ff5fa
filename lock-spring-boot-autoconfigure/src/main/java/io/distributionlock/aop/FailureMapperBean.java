package io.distributionlock.aop;

/**
 * A {@link LockFailureMapper} as its bean definition describes it; the bean itself may not exist yet.
 *
 * @param name the name of the bean
 * @param type the type that it answers for
 * @param primary whether it is preferred over equals
 * @param order its place among equals; the smaller is preferred
 */
record FailureMapperBean(String name, FailureMapperType type, boolean primary, int order) {

    String describe() {
        return "'" + name + "' (for " + type + ")";
    }
}
