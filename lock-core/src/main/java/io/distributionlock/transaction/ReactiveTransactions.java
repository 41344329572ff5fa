package io.distributionlock.transaction;

import io.distributionlock.hold.HeldLocks;
import io.distributionlock.internal.Internal;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
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

    /** Lets the subscriber's transaction check these locks, and those of the transactions around it, before it commits. */
    static Mono<Void> guard(List<HeldLocks> locks) {
        return Synchronizations.manager()
                .filter(manager -> !locks.isEmpty() || manager.hasResource(Synchronizations.WAITING))
                .map(Synchronizations::holdOf)
                .doOnNext(hold -> locks.forEach(hold::guard))
                .then();
    }

    /** Loaded only if Spring's transactions are on the classpath. */
    private static final class Synchronizations {

        /** Under which the transactions of a subscription know those that wait for one inside of them to end. */
        static final Object WAITING = ReactiveTransactions.class;

        static Mono<TransactionHold> current() {
            return manager().map(Synchronizations::holdOf);
        }

        static Mono<TransactionSynchronizationManager> manager() {
            return TransactionSynchronizationManager.forCurrentTransaction()
                    .onErrorResume(NoTransactionException.class, none -> Mono.empty())
                    .filter(manager -> manager.isSynchronizationActive() && manager.isActualTransactionActive());
        }

        private static TransactionHold holdOf(TransactionSynchronizationManager manager) {
            for (TransactionSynchronization known : manager.getSynchronizations()) {
                if (known instanceof LockSynchronization own) {
                    return own.hold();
                }
            }
            TransactionHold hold = new TransactionHold();
            waiting(manager).forEach(hold::beganInside);
            manager.registerSynchronization(new LockSynchronization(hold, manager));
            return hold;
        }

        @SuppressWarnings("unchecked")
        static Set<TransactionHold> waiting(TransactionSynchronizationManager manager) {
            Object waiting = manager.getResource(WAITING);
            return waiting == null ? ConcurrentHashMap.newKeySet() : (Set<TransactionHold>) waiting;
        }
    }

    /** Checking and releasing may block, which the threads of a reactive transaction must not. */
    private record LockSynchronization(TransactionHold hold, TransactionSynchronizationManager manager)
            implements TransactionSynchronization, Ordered {

        @Override
        public int getOrder() {
            return Ordered.LOWEST_PRECEDENCE;
        }

        @Override
        public Mono<Void> suspend() {
            return Mono.fromRunnable(() -> {
                Set<TransactionHold> waiting = Synchronizations.waiting(manager);
                if (waiting.isEmpty()) {
                    manager.bindResource(Synchronizations.WAITING, waiting);
                }
                waiting.add(hold);
            });
        }

        @Override
        public Mono<Void> resume() {
            return Mono.fromRunnable(() -> {
                Set<TransactionHold> waiting = Synchronizations.waiting(manager);
                if (waiting.remove(hold) && waiting.isEmpty()) {
                    manager.unbindResource(Synchronizations.WAITING);
                }
            });
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
