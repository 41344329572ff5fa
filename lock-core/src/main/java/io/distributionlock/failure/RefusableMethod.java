package io.distributionlock.failure;

import io.distributionlock.internal.Internal;
import java.lang.reflect.Method;
import org.springframework.core.ResolvableType;

/**
 * A locked method, as mappers see it.
 *
 * @param asksMappers whether nothing of its annotations answers before them if the lock is busy
 * @hidden
 */
@Internal
public record RefusableMethod(Method method, ResolvableType returnType, boolean asksMappers) {}
