package io.distributionlock.aop;

import java.lang.reflect.Method;
import java.util.List;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;

/** What is known of a locked method, independent of any call. */
final class LockedMethod {

    private final Method method;
    private final Class<?> targetClass;
    private final List<DeclaredLock> locks;
    private final List<LockDeclaration> declarations;
    private final ResolvableType returnType;
    private final ReturnShape returnShape;
    private final boolean leavesResultOpen;
    private final boolean leavesElementsOpen;
    private final boolean async;
    private final List<Injection> injections;
    private final List<LockProblem> problems;

    LockedMethod(
            Method method,
            Class<?> targetClass,
            List<DeclaredLock> locks,
            ResolvableType returnType,
            boolean async,
            List<Injection> injections,
            List<LockProblem> problems) {
        this.method = method;
        this.targetClass = targetClass;
        this.locks = List.copyOf(locks);
        this.declarations = locks.stream().map(DeclaredLock::declaration).toList();
        this.returnType = returnType;
        this.returnShape = ReturnShape.of(returnType);
        this.leavesResultOpen = Unfinished.isLeftOpenBy(returnType.resolve(Object.class));
        this.leavesElementsOpen =
                Unfinished.isLeftOpenBy(returnType.getGeneric(0).resolve(Object.class));
        this.async = async;
        this.injections = List.copyOf(injections);
        this.problems = List.copyOf(problems);
    }

    Method method() {
        return method;
    }

    /** Where the lock is declared, for messages. */
    String place() {
        return declarations.get(0).wording().place(method);
    }

    Class<?> targetClass() {
        return targetClass;
    }

    /** The locks that the method asks for. */
    List<DeclaredLock> locks() {
        return locks;
    }

    /** Their declarations, in the same order. */
    List<LockDeclaration> declarations() {
        return declarations;
    }

    /** The executor of its locks; empty for the default. */
    String executor() {
        return declarations.get(0).annotation().executor();
    }

    ResolvableType returnType() {
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
        Object unfinished = Unfinished.in(result, returnType.toClass());
        // With @Async, Spring takes the value out of a future that the method has to wrap it in.
        if (unfinished != null && !(async && unfinished instanceof Future<?> future && future.isDone())) {
            throw Unfinished.refused(unfinished, place());
        }
    }

    List<Injection> injections() {
        return injections;
    }

    List<LockProblem> problems() {
        return problems;
    }
}
