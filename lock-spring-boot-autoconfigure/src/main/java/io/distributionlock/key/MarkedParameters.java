package io.distributionlock.key;

import io.distributionlock.annotation.DistributionLockParam;
import io.distributionlock.annotation.FencingToken;
import io.distributionlock.internal.Internal;
import io.distributionlock.reflect.KotlinTypes;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.List;
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

    public static boolean existIn(Method method) {
        for (Annotation[] annotations : method.getParameterAnnotations()) {
            if (annotations.length > 0) {
                return marks().stream().anyMatch(mark -> existIn(method, mark));
            }
        }
        return false;
    }

    /** Only in methods that the application wrote. */
    public static boolean existIn(Method method, Class<? extends Annotation> mark) {
        if (method.isSynthetic()) {
            return false;
        }
        for (Annotation[] annotations : method.getParameterAnnotations()) {
            if (annotations.length > 0 && MergedAnnotations.from(annotations).isPresent(mark)) {
                return !KotlinTypes.isCopy(method);
            }
        }
        return false;
    }
}
