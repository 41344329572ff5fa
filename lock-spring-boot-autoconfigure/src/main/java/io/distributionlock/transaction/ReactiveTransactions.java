package io.distributionlock.transaction;

import io.distributionlock.internal.Internal;
import org.springframework.core.Ordered;
import org.springframework.transaction.NoTransactionException;
import org.springframework.transaction.reactive.TransactionSynchronization;
import org.springframework.transaction.reactive.TransactionSynchronizationManager;
import org.springframework.util.ClassUtils;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * As {@link Transactions}, for the transaction in the Reactor context of a subscription.
 *
 * @hidden
 */
@Internal
public final class ReactiveTransactions {

    private static final boolean PRESENT = ClassUtils.isPresent(
            "org.springframework.transaction.reactive.TransactionSynchronizationManager",
            ReactiveTransactions.class.getClassLoader());

    private ReactiveTransactions() {}

    /** The hold of the subscriber's transaction; empty if there is none. */
    public static Mono<TransactionHold> current() {
        return PRESENT ? Synchronizations.current() : Mono.empty();
    }

    /** Touched only when Spring's transactions are on the classpath. */
    private static final class Synchronizations {

        static Mono<TransactionHold> current() {
            return TransactionSynchronizationManager.forCurrentTransaction()
                    .onErrorResume(NoTransactionException.class, none -> Mono.empty())
                    .filter(manager -> manager.isSynchronizationActive() && manager.isActualTransactionActive())
                    .map(Synchronizations::holdOf);
        }

        private static TransactionHold holdOf(TransactionSynchronizationManager manager) {
            for (TransactionSynchronization known : manager.getSynchronizations()) {
                if (known instanceof LockSynchronization own) {
                    return own.hold();
                }
            }
            TransactionHold hold = new TransactionHold();
            manager.registerSynchronization(new LockSynchronization(hold));
            return hold;
        }
    }

    /** Checking and releasing may block, which the threads of a reactive transaction must not. */
    private record LockSynchronization(TransactionHold hold) implements TransactionSynchronization, Ordered {

        @Override
        public int getOrder() {
            return Ordered.LOWEST_PRECEDENCE;
        }

        @Override
        public Mono<Void> beforeCommit(boolean readOnly) {
            return Mono.<Void>fromRunnable(hold::requireValid).subscribeOn(Schedulers.boundedElastic());
        }

        @Override
        public Mono<Void> afterCompletion(int status) {
            return Mono.<Void>fromRunnable(() -> hold.end(status == STATUS_ROLLED_BACK))
                    .subscribeOn(Schedulers.boundedElastic());
        }
    }
}
