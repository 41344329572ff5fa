package io.distributionlock.failure;

import io.distributionlock.hold.LockScope;
import io.distributionlock.internal.Internal;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;

/**
 * A call of a locked method that did not acquire one of its locks.
 *
 * @hidden
 */
@Internal
public interface FailedInvocation extends LockScope.Work {

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

    /** The continuation of a suspending function of Kotlin, which is not among the arguments; otherwise {@code null}. */
    @Nullable
    Object continuation();
}
