package io.distributionlock.key;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;
import org.springframework.expression.spel.support.ReflectivePropertyAccessor;
import org.springframework.util.ClassUtils;

/** The properties that an expression (SpEL) can read, told by the declared type of their owner, without an object. */
class DeclaredProperties extends ReflectivePropertyAccessor {

    /** The type of a property: {@code null} if its owner has none of this name, {@code NONE} if the owner's type does not tell. */
    @Nullable
    ResolvableType typeOf(ResolvableType owner, String property) {
        Class<?> type = ClassUtils.resolvePrimitiveIfNecessary(owner.resolve(Object.class));
        if (type == Object.class || type == Optional.class || type == Class.class || type.isArray()) {
            return ResolvableType.NONE;
        }
        Method getter = findGetterForProperty(property, type, false);
        if (getter == null && type.isInterface()) {
            getter = findGetterForProperty(property, Object.class, false);
        }
        if (getter != null) {
            return ResolvableType.forType(getter.getGenericReturnType(), owner.as(getter.getDeclaringClass()));
        }
        Field field = findField(property, type, false);
        return field == null ? null : ResolvableType.forField(field, owner);
    }
}
