package io.distributionlock.key;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;
import org.springframework.expression.AccessException;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.PropertyAccessor;
import org.springframework.expression.TypedValue;
import org.springframework.expression.spel.support.ReflectivePropertyAccessor;
import org.springframework.util.ClassUtils;

/**
 * The properties that an expression (SpEL) can read, also told by the declared type of their owner, without an object. A field is read from
 * the object that has it filled, which may stand behind a proxy.
 */
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

    @Override
    public TypedValue read(EvaluationContext context, @Nullable Object target, String name) throws AccessException {
        if (target == null || !isFieldOfProxy(target, name)) {
            return super.read(context, target, name);
        }
        Object behind = ProxiedObject.behind(target);
        Method loader = ProxiedObject.loaderOf(behind, name);
        return loader == null
                ? super.read(context, behind, name)
                : new TypedValue(ProxiedObject.loaded(loader, behind));
    }

    /** What Spring would take from here on instead, which reads the field as it is. */
    @Override
    public PropertyAccessor createOptimalAccessor(EvaluationContext context, @Nullable Object target, String name) {
        return target != null && isFieldOfProxy(target, name)
                ? this
                : super.createOptimalAccessor(context, target, name);
    }

    private boolean isFieldOfProxy(Object target, String name) {
        return !(target instanceof Class)
                && ProxiedObject.mayHaveEmptyFields(target)
                && findGetterForProperty(name, target.getClass(), false) == null;
    }
}
