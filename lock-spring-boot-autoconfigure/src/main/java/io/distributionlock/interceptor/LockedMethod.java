package io.distributionlock.interceptor;

import io.distributionlock.annotation.LockProblem;
import io.distributionlock.internal.Internal;
import io.distributionlock.key.AttributeNames;
import io.distributionlock.key.LockDeclaration;
import io.distributionlock.reflect.KotlinTypes;
import io.distributionlock.reflect.ReturnShape;
import io.distributionlock.reflect.SuspendingFunctions;
import java.lang.reflect.Method;
import java.util.List;
import org.springframework.core.ResolvableType;

/**
 * What is known of a locked method, independent of any call.
 *
 * @hidden
 */
@Internal
public final class LockedMethod {

    private final Method method;
    private final Class<?> targetClass;
    private final List<DeclaredLock> locks;
    private final List<LockDeclaration> declarations;
    private final ResolvableType returnType;
    private final ReturnShape returnShape;
    private final boolean suspending;
    private final boolean async;
    private final List<LeaseParameter> injections;
    private final List<LockProblem> problems;

    LockedMethod(
            Method method,
            Class<?> targetClass,
            List<DeclaredLock> locks,
            ResolvableType returnType,
            boolean async,
            List<LeaseParameter> injections,
            List<LockProblem> problems) {
        this.method = method;
        this.targetClass = targetClass;
        this.locks = List.copyOf(locks);
        this.declarations = locks.stream().map(DeclaredLock::declaration).toList();
        this.returnType = returnType;
        this.returnShape = ReturnShape.of(returnType);
        this.suspending = SuspendingFunctions.contain(method);
        this.async = async;
        this.injections = List.copyOf(injections);
        this.problems = List.copyOf(problems);
    }

    public Method method() {
        return method;
    }

    /** Where the lock is declared, for messages. */
    public String place() {
        return AttributeNames.of(declarations.get(0)).place(method);
    }

    public Class<?> targetClass() {
        return targetClass;
    }

    /** The locks that the method asks for. */
    public List<DeclaredLock> locks() {
        return locks;
    }

    /** Their declarations, in the same order. */
    public List<LockDeclaration> declarations() {
        return declarations;
    }

    /** The executor of its locks; empty for the default. */
    public String executor() {
        return declarations.get(0).annotation().executor();
    }

    public ResolvableType returnType() {
        return returnType;
    }

    ReturnShape returnShape() {
        return returnShape;
    }

    /** Whether the last argument of the method is the continuation of a suspending function of Kotlin. */
    boolean suspending() {
        return suspending;
    }

    /** Whether the work is a coroutine. */
    boolean runsInCoroutine() {
        return suspending || KotlinTypes.isCoroutine(returnType.resolve(Object.class));
    }

    /** Whether Spring runs the method on another thread ({@code @Async}), which may block. */
    boolean async() {
        return async;
    }

    List<LeaseParameter> injections() {
        return injections;
    }

    public List<LockProblem> problems() {
        return problems;
    }
}
