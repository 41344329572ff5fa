package io.distributionlock.interceptor;

import io.distributionlock.annotation.InvalidLockDefinitionException;
import io.distributionlock.annotation.LockProblem;
import io.distributionlock.internal.Internal;
import io.distributionlock.key.AttributeNames;
import io.distributionlock.key.LockDeclaration;
import io.distributionlock.reflect.KotlinTypes;
import io.distributionlock.reflect.ReturnShape;
import io.distributionlock.reflect.SuspendingFunctions;
import io.distributionlock.reflect.UnfinishedResults;
import java.lang.reflect.Method;
import java.util.List;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
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
    private final boolean leavesResultOpen;
    private final boolean leavesElementsOpen;
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
        this.leavesResultOpen = UnfinishedResults.isLeftOpenBy(returnType.resolve(Object.class));
        this.leavesElementsOpen =
                UnfinishedResults.isLeftOpenBy(returnType.getGeneric(0).resolve(Object.class));
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

    /** Whether a returned value must be inspected to know that the work has ended. */
    boolean leavesResultOpen() {
        return leavesResultOpen;
    }

    /** The same for the values of a future or publisher. */
    boolean leavesElementsOpen() {
        return leavesElementsOpen;
    }

    /** Whether the last argument of the method is the continuation of a suspending function of Kotlin. */
    boolean suspending() {
        return suspending;
    }

    /** Whether the work is a coroutine. */
    boolean runsInCoroutine() {
        return suspending || KotlinTypes.isFlow(returnType.resolve(Object.class));
    }

    /** Whether Spring runs the method on another thread ({@code @Async}), which may block. */
    boolean async() {
        return async;
    }

    /**
     * Refuses a result that is not finished.
     *
     * @throws InvalidLockDefinitionException if the work of the result would go on without the lock
     */
    void requireFinished(@Nullable Object result) {
        Object unfinished = UnfinishedResults.in(result, returnType.toClass());
        // With @Async, Spring takes the value out of a future that the method has to wrap it in.
        if (unfinished != null && !(async && unfinished instanceof Future<?> future && future.isDone())) {
            throw UnfinishedResults.refused(unfinished, place());
        }
    }

    List<LeaseParameter> injections() {
        return injections;
    }

    public List<LockProblem> problems() {
        return problems;
    }
}
