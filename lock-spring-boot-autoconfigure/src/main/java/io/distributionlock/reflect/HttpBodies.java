package io.distributionlock.reflect;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpEntity;
import org.springframework.util.ClassUtils;

/** The bodies of HTTP entities, if Spring's web classes are present. */
final class HttpBodies {

    private static final boolean PRESENT =
            ClassUtils.isPresent("org.springframework.http.HttpEntity", HttpBodies.class.getClassLoader());

    private HttpBodies() {}

    static @Nullable Object of(Object result) {
        return PRESENT && result instanceof HttpEntity<?> entity ? entity.getBody() : null;
    }
}
