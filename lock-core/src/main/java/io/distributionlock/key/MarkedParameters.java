package io.distributionlock.key;

import io.distributionlock.annotation.DistributionLockParam;
import io.distributionlock.annotation.FencingToken;
import io.distributionlock.internal.Internal;
import io.distributionlock.reflect.KotlinTypes;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.List;
import java.util.function.Predicate;
import org.springframework.core.annotation.MergedAnnotations;

/**
 * The parameters of a method that have an annotation which means something only in a locked method.
 *
 * @hidden
 */
@Internal
public final class MarkedParameters {

    private MarkedParameters() {}

    /** The annotations. */
    public static List<Class<? extends Annotation>> marks() {
        return List.of(DistributionLockParam.class, FencingToken.class);
    }

    /** Whether a method that the application wrote has such a parameter. */
    public static boolean existIn(Method method) {
        return existIn(method, annotations -> marks().stream().anyMatch(annotations::isPresent));
    }

    /** Whether a method that the application wrote has a parameter with this annotation. */
    public static boolean existIn(Method method, Class<? extends Annotation> mark) {
        return existIn(method, annotations -> annotations.isPresent(mark));
    }

    private static boolean existIn(Method method, Predicate<MergedAnnotations> marked) {
        if (method.isSynthetic()) {
            return false;
        }
        for (Annotation[] annotations : method.getParameterAnnotations()) {
            if (annotations.length > 0 && marked.test(MergedAnnotations.from(annotations))) {
                return !KotlinTypes.isCopy(method);
            }
        }
        return false;
    }
}
