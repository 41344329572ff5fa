package io.distributionlock.key;

import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.DistributionLocks;
import io.distributionlock.internal.Internal;
import io.distributionlock.reflect.MethodText;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.AliasFor;
import org.springframework.core.annotation.MergedAnnotation;

/**
 * The names of an annotation and its attributes as they are written: {@code holdLockTimeString} is {@code maxHold} in {@code @ScheduledLock}.
 *
 * @hidden
 */
@Internal
public final class AttributeNames {

    private static final String AS_TEXT = "String";

    private final Class<? extends Annotation> annotation;

    AttributeNames(Class<? extends Annotation> annotation) {
        this.annotation = annotation;
    }

    public static AttributeNames of(MergedAnnotation<DistributionLock> annotation) {
        Class<? extends Annotation> written = annotation.getRoot().getType();
        return new AttributeNames(written == DistributionLocks.class ? DistributionLock.class : written);
    }

    /** The names by which a lock was declared. */
    public static AttributeNames of(LockDeclaration declaration) {
        return declaration.names();
    }

    /** Declares a lock by an annotation with these names. */
    public LockDeclaration declare(
            Method method, Class<?> targetClass, List<Method> methodHierarchy, DistributionLock merged) {
        return new LockDeclaration(method, targetClass, methodHierarchy, merged, this);
    }

    public String place(Method method) {
        return "@" + annotation.getSimpleName() + " on " + MethodText.of(method);
    }

    /** Whether the annotation has this attribute under any name. */
    public boolean has(String attribute) {
        return annotation == DistributionLock.class || written(attribute) != null;
    }

    /** The written name of an attribute; of its text form if the time can be written only as text. */
    public String nameOf(String attribute) {
        String written = written(attribute);
        if (written == null) {
            written = written(attribute + AS_TEXT);
        }
        return written == null ? attribute : written;
    }

    private @Nullable String written(String attribute) {
        for (Method own : annotation.getDeclaredMethods()) {
            if (attribute.equals(target(own))) {
                return own.getName();
            }
        }
        return null;
    }

    /** The attribute of {@link DistributionLock} that an attribute is an alias for, directly or through other annotations. */
    private static @Nullable String target(Method attribute) {
        AliasFor alias = attribute.getAnnotation(AliasFor.class);
        if (alias == null || alias.annotation() == Annotation.class) {
            return null;
        }
        String name = alias.attribute().isEmpty() ? alias.value() : alias.attribute();
        if (name.isEmpty()) {
            name = attribute.getName();
        }
        if (alias.annotation() == DistributionLock.class) {
            return name;
        }
        try {
            return target(alias.annotation().getDeclaredMethod(name));
        } catch (NoSuchMethodException e) {
            return null;
        }
    }
}
