package io.distributionlock.key;

import java.beans.Introspector;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;

/**
 * Reads one property of an object: through its public accessor ({@code getId()}, {@code isOpen()}, {@code id()}) if there is one,
 * otherwise from its field. Respects modules that are closed to this library.
 *
 * <p>Spring's {@code BeanWrapper} knows neither record accessors nor fields, and cannot answer for a class without an instance.
 */
final class PropertyReader {

    private final String property;
    private final @Nullable Method accessor;
    private final @Nullable Field field;

    private PropertyReader(String property, @Nullable Method accessor, @Nullable Field field) {
        this.property = property;
        this.accessor = accessor;
        this.field = field;
    }

    /** A reader for a property of a class, or {@code null} if there is none that can be read. */
    static @Nullable PropertyReader of(Class<?> type, String property) {
        Method accessor = accessor(type, property);
        if (accessor != null) {
            return new PropertyReader(property, accessor, null);
        }
        Field field = field(type, property);
        return field == null ? null : new PropertyReader(property, null, field);
    }

    /** A reader that calls this accessor, or {@code null} if it cannot be called. */
    static @Nullable PropertyReader calling(Method accessor) {
        Method callable = callable(accessor);
        return callable == null ? null : new PropertyReader(propertyOf(accessor), callable, null);
    }

    static boolean isSetterName(String name) {
        return name.startsWith("set") && name.length() > 3;
    }

    /** The property that an accessor reads or sets: {@code id} for {@code getId()}, {@code id()} and so on. */
    static String propertyOf(Method accessor) {
        String name = accessor.getName();
        boolean isSetter = isSetterName(name) && accessor.getParameterCount() == 1;
        if (isSetter || (name.startsWith("get") && name.length() > 3)) {
            return Introspector.decapitalize(name.substring(3));
        }
        if (name.startsWith("is") && name.length() > 2) {
            return Introspector.decapitalize(name.substring(2));
        }
        return name;
    }

    private static @Nullable Method accessor(Class<?> type, String property) {
        String capitalized =
                property.isEmpty() ? property : Character.toUpperCase(property.charAt(0)) + property.substring(1);
        for (String name : new String[] {"get" + capitalized, "is" + capitalized, property}) {
            Method method = ClassUtils.getMethodIfAvailable(type, name);
            if (method != null && isAccessor(method)) {
                Method callable = callable(method);
                if (callable != null) {
                    return callable;
                }
            }
        }
        return null;
    }

    private static boolean isAccessor(Method method) {
        return method.getReturnType() != void.class
                && method.getDeclaringClass() != Object.class
                && !Modifier.isStatic(method.getModifiers());
    }

    /** The same method on a public type if there is one, otherwise the method itself if it can be made accessible. */
    private static @Nullable Method callable(Method method) {
        Method open = ClassUtils.getPubliclyAccessibleMethodIfPossible(method, method.getDeclaringClass());
        return isOpen(open, open.getDeclaringClass(), open.getModifiers()) ? open : null;
    }

    private static @Nullable Field field(Class<?> type, String property) {
        for (Class<?> current = type; current != null && current != Object.class; current = current.getSuperclass()) {
            for (Field field : current.getDeclaredFields()) {
                if (field.getName().equals(property)
                        && !Modifier.isStatic(field.getModifiers())
                        && isOpen(field, current, field.getModifiers())) {
                    return field;
                }
            }
        }
        return null;
    }

    private static boolean isOpen(AccessibleObject member, Class<?> declaring, int modifiers) {
        boolean isPublic = Modifier.isPublic(modifiers) && Modifier.isPublic(declaring.getModifiers());
        boolean exported = declaring.getModule().isExported(declaring.getPackageName());
        return (isPublic && exported) || member.trySetAccessible();
    }

    ResolvableType type(ResolvableType owner) {
        if (accessor != null) {
            return ResolvableType.forType(accessor.getGenericReturnType(), owner.as(accessor.getDeclaringClass()));
        }
        return field == null ? ResolvableType.NONE : ResolvableType.forField(field, owner);
    }

    /**
     * @throws RuntimeException what the accessor throws, wrapped if it is checked
     */
    @Nullable
    Object read(Object owner) {
        try {
            if (accessor != null) {
                return accessor.invoke(owner);
            }
            return field == null ? null : field.get(owner);
        } catch (InvocationTargetException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new IllegalStateException(
                    "reading '" + property + "' of a " + owner.getClass().getName() + " failed: " + cause, cause);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(
                    "'" + property + "' of a " + owner.getClass().getName() + " cannot be read", e);
        }
    }
}
