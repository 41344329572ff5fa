package io.distributionlock.aop;

import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.DistributionLocks;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.AliasFor;
import org.springframework.core.annotation.MergedAnnotation;

/** The names of an annotation and its attributes as they are written: {@code holdLockTimeString} is {@code maxHold} in {@code @ScheduledLock}. */
final class LockWording {

    private static final String AS_TEXT = "String";

    private final Class<? extends Annotation> annotation;

    LockWording(Class<? extends Annotation> annotation) {
        this.annotation = annotation;
    }

    static LockWording of(MergedAnnotation<DistributionLock> annotation) {
        Class<? extends Annotation> written = annotation.getRoot().getType();
        return new LockWording(written == DistributionLocks.class ? DistributionLock.class : written);
    }

    String place(Method method) {
        return "@" + annotation.getSimpleName() + " on " + MethodText.of(method);
    }

    /** Whether the annotation has this attribute under any name. */
    boolean has(String attribute) {
        return annotation == DistributionLock.class || written(attribute) != null;
    }

    /** The written name of an attribute; of its text form if the time can be written only as text. */
    String nameOf(String attribute) {
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
