package io.distributionlock.key;

import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.DistributionLocks;
import io.distributionlock.internal.Internal;
import io.distributionlock.internal.MethodText;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.List;
import org.springframework.core.annotation.AliasFor;
import org.springframework.core.annotation.MergedAnnotation;

/**
 * The names of an annotation and its attributes as they are written: {@code holdLockTimeString} is {@code lockAtMostFor} in
 * {@code @ScheduledLock}.
 *
 * @hidden
 */
@Internal
public final class AttributeNames {

    private final Class<? extends Annotation> annotation;

    AttributeNames(Class<? extends Annotation> annotation) {
        this.annotation = annotation;
    }

    public static AttributeNames of(MergedAnnotation<DistributionLock> annotation) {
        Class<? extends Annotation> written = annotation.getRoot().getType();
        return new AttributeNames(written == DistributionLocks.class ? DistributionLock.class : written);
    }

    /** Declares a lock by an annotation with these names. */
    public LockDeclaration declare(
            Method method, Class<?> targetClass, List<Method> methodHierarchy, DistributionLock merged) {
        return new LockDeclaration(method, targetClass, methodHierarchy, merged, this);
    }

    public String place(Method method) {
        return "@" + annotation.getSimpleName() + " on " + MethodText.of(method);
    }

    /** The written name of an attribute, or of its text form if only that can be written. */
    public String nameOf(String attribute) {
        for (Method own : annotation.getDeclaredMethods()) {
            AliasFor alias = own.getAnnotation(AliasFor.class);
            if (alias != null
                    && alias.annotation() == DistributionLock.class
                    && (alias.attribute().equals(attribute)
                            || alias.attribute().equals(attribute + "String")
                            || attribute.equals("key") && alias.attribute().equals("value"))) {
                return own.getName();
            }
        }
        return attribute;
    }
}
