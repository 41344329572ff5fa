package io.distributionlock.interceptor;

import io.distributionlock.annotation.LockProblem;
import io.distributionlock.annotation.OnBusy;
import io.distributionlock.internal.KotlinMethods;
import java.lang.reflect.Method;
import java.util.List;
import org.springframework.core.ResolvableType;

/**
 * What is known of a locked method, independent of any call.
 *
 * @param locks those that the method asks for; at least one
 * @param returnType what it returns to the advice of a proxy
 * @param suspending whether the last argument of the method is the continuation of a suspending function of Kotlin
 * @param async whether Spring runs the method on another thread ({@code @Async}), which may block
 * @param injections the parameters that are filled with the lease or its token
 */
record LockMetadata(
        Method method,
        Class<?> targetClass,
        List<LockOperation> locks,
        ResolvableType returnType,
        ReturnShape returnShape,
        boolean suspending,
        boolean async,
        List<LeaseParameter> injections,
        List<LockProblem> problems) {

    LockMetadata(
            Method method,
            Class<?> targetClass,
            List<LockOperation> locks,
            ResolvableType returnType,
            boolean async,
            List<LeaseParameter> injections,
            List<LockProblem> problems) {
        this(
                method,
                targetClass,
                List.copyOf(locks),
                returnType,
                ReturnShape.of(returnType),
                KotlinMethods.isSuspending(method),
                async,
                injections,
                List.copyOf(problems));
    }

    /** Where the lock is declared, for messages. */
    String place() {
        return locks.get(0).place();
    }

    /** The executor of its locks; empty for the default. */
    String executor() {
        return locks.get(0).settings().executor();
    }

    /** Whether nothing of its annotations answers before the mappers if the lock is busy. */
    boolean asksMappers() {
        return locks.stream()
                .map(lock -> lock.declaration().annotation())
                .anyMatch(lock ->
                        lock.onBusy() == OnBusy.UNSET && lock.fallbackMethod().isEmpty());
    }

    /** Whether the work is a coroutine. */
    boolean runsInCoroutine() {
        String returned = returnType.toClass().getName();
        return suspending
                || returned.equals("kotlinx.coroutines.flow.Flow")
                || returned.equals("kotlinx.coroutines.Deferred");
    }
}
