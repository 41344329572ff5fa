package io.distributionlock.aop;

import io.distributionlock.LockSurroundings;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;

/** A call of a locked method that did not acquire one of its locks. */
interface RefusedCall extends LockSurroundings.Work {

    /** The method that was called. */
    Method javaMethod();

    /** What the caller expects. */
    ResolvableType returnType();

    /** The object whose method was called. */
    @Nullable
    Object target();

    /** The arguments as the caller passed them. */
    @Nullable
    Object[] arguments();
}
