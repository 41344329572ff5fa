package io.distributionlock.key;

import io.distributionlock.annotation.DistributionLockParam;
import java.lang.reflect.AnnotatedElement;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;

/** What a {@link DistributionLockParam} says, read once: its attributes are slow to read. */
record Mark(int order, String path, boolean each, boolean allowEmpty, String nullValue) {

    /** The mark on this element, or {@code null} if it has none. */
    static @Nullable Mark on(AnnotatedElement element) {
        return element.getAnnotations().length == 0
                ? null
                : MergedAnnotations.from(element)
                        .get(DistributionLockParam.class)
                        .synthesize(MergedAnnotation::isPresent)
                        .map(mark ->
                                new Mark(mark.order(), mark.path(), mark.each(), mark.allowEmpty(), mark.nullValue()))
                        .orElse(null);
    }
}
