package io.distributionlock.interceptor;

import io.distributionlock.LockScope;
import io.distributionlock.failure.FailureAnswers;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.springframework.util.function.SingletonSupplier;

/** Picks the runner for a method. The reactive runner is created only for methods with a reactive return type: Reactor may be missing. */
final class CallRunners {

    private final CallRunner blocking;
    private final CallRunner future;
    private final Supplier<CallRunner> reactive;

    CallRunners(FailureAnswers answers, Supplier<LockScope> scope, Executor executor) {
        this.blocking = new BlockingRunner(answers, scope);
        this.future = new FutureRunner(answers, scope, executor);
        this.reactive = SingletonSupplier.of(() -> new ReactiveRunner(answers, scope, executor));
    }

    CallRunner of(LockedMethod method) {
        return switch (method.returnShape()) {
            case FUTURE -> future;
            case REACTIVE -> reactive.get();
            // With @Async alone, where any future will do.
            case UNKNOWN_LATER -> method.returnType().resolve() == Future.class ? future : blocking;
            default -> blocking;
        };
    }
}
