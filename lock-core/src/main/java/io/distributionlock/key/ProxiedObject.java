package io.distributionlock.key;

import java.lang.reflect.Method;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.SpringProxy;
import org.springframework.aop.framework.Advised;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/** Objects that stand for another one, whose own fields are empty. */
final class ProxiedObject {

    private enum Kind {
        NONE,
        SPRING,
        /** A lazy reference of Hibernate. */
        LAZY,
        /** An entity that Hibernate's build plugin has changed, so that it loads its fields itself. */
        ENHANCED,
        UNKNOWN
    }

    /** What Spring subclasses besides proxies, such as for {@code @Lookup}, has its own fields. */
    private static final String SUBCLASSED = "$$SpringCGLIB$$";

    /** In the names of classes that CGLIB and Byte Buddy make, also for Mockito's subclasses. */
    private static final Set<String> GENERATED = Set.of("$$", "$ByteBuddy$", "$MockitoMock$");

    private static final String LOAD = "Load it before the call, or pass its identifier.";

    private static final ClassValue<Kind> KINDS = new ClassValue<>() {
        @Override
        protected Kind computeValue(Class<?> type) {
            return kindOf(type);
        }
    };

    private ProxiedObject() {}

    private static Kind kindOf(Class<?> type) {
        if (SpringProxy.class.isAssignableFrom(type)) {
            return Kind.SPRING;
        }
        for (Class<?> each : ClassUtils.getAllInterfacesForClassAsSet(type)) {
            if (each.getName().equals("org.hibernate.proxy.HibernateProxy")) {
                return Kind.LAZY;
            }
            if (each.getName().equals("org.hibernate.engine.spi.PersistentAttributeInterceptable")) {
                return Kind.ENHANCED;
            }
        }
        String name = type.getName().replace(SUBCLASSED, "");
        boolean isGenerated = !type.isHidden() && GENERATED.stream().anyMatch(name::contains);
        return isGenerated ? Kind.UNKNOWN : Kind.NONE;
    }

    /** Whether the fields of an object may be empty because another object has the values. */
    static boolean mayHaveEmptyFields(Object value) {
        return KINDS.get(value.getClass()) != Kind.NONE;
    }

    /** Whether an object is a proxy, which would have to load its target to be looked at. */
    static boolean standsForAnother(Object value) {
        Kind kind = KINDS.get(value.getClass());
        return kind != Kind.NONE && kind != Kind.ENHANCED;
    }

    /**
     * The object whose fields have the values; loads it if it is a lazy reference.
     *
     * @throws UnsuitableValueException if that is unknown
     */
    static Object behind(Object value) {
        Object target = switch (KINDS.get(value.getClass())) {
            case SPRING -> value instanceof Advised advised ? targetOf(advised) : null;
            case LAZY -> call(call(value, "getHibernateLazyInitializer"), "getImplementation");
            case UNKNOWN -> null;
            case NONE, ENHANCED -> value;
        };
        if (target == null) {
            throw new UnsuitableValueException(
                    "a " + value.getClass().getName() + ", a proxy or a mock whose own fields may be empty",
                    "Give it a getter, and read that.");
        }
        return target == value ? value : behind(target);
    }

    /** What a field of an object has, which is loaded if it is lazy; {@code null} if this object does not load it itself. */
    static @Nullable Method loaderOf(Object value, String field) {
        return KINDS.get(value.getClass()) == Kind.ENHANCED
                ? ReflectionUtils.findMethod(value.getClass(), "$$_hibernate_read_" + field)
                : null;
    }

    /** What a method that may load it returns. */
    static @Nullable Object loaded(Method method, Object owner) {
        try {
            return ReflectionUtils.invokeMethod(method, owner);
        } catch (RuntimeException e) {
            throw new UnsuitableValueException(
                    "a " + owner.getClass().getName() + ", which cannot be loaded (" + e + ")", LOAD, e);
        }
    }

    private static @Nullable Object targetOf(Advised advised) {
        try {
            return advised.getTargetSource().getTarget();
        } catch (Exception e) {
            throw new UnsuitableValueException("a proxy whose target cannot be had (" + e + ")", LOAD, e);
        }
    }

    private static @Nullable Object call(@Nullable Object owner, String method) {
        if (owner == null) {
            return null;
        }
        // The class itself may be hidden from here, but not the interfaces.
        for (Class<?> type : ClassUtils.getAllInterfacesForClassAsSet(owner.getClass())) {
            Method found = ReflectionUtils.findMethod(type, method);
            if (found != null) {
                return loaded(found, owner);
            }
        }
        return null;
    }
}
