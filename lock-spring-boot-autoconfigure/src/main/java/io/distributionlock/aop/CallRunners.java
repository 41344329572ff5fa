package io.distributionlock.aop;

import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.springframework.util.function.SingletonSupplier;

/** Picks the runner for a method. The reactive one is touched only by methods that return something reactive. */
final class CallRunners {

    private final CallRunner blocking;
    private final CallRunner future;
    private final Supplier<CallRunner> reactive;

    CallRunners(
            FailureAnswers answers,
            LockEvents events,
            Supplier<Executor> executor,
            BooleanSupplier refuseOuterTransactions) {
        this.blocking = new BlockingRunner(answers, events, refuseOuterTransactions);
        this.future = new FutureRunner(answers, events, executor);
        this.reactive = SingletonSupplier.of(() -> new ReactiveRunner(answers, events));
    }

    CallRunner of(LockedMethod method) {
        return switch (ReturnShape.of(method.returnType())) {
            case FUTURE -> future;
            case MONO, FLUX -> reactive.get();
            default -> blocking;
        };
    }
}
