package io.distributionlock.interceptor;

import io.distributionlock.LockLostException;
import io.distributionlock.MultiLock;
import io.distributionlock.hold.HeldLocks;
import io.distributionlock.hold.LockScope;
import io.distributionlock.hold.LockScope.EnclosingTransaction;
import io.distributionlock.internal.ReactiveTypes;
import io.distributionlock.transaction.ReactiveLocks;
import io.distributionlock.transaction.ReactiveTransactions;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.core.ReactiveAdapter;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.Context;

/**
 * Acquires the locks for each subscription to the reactive type that the method returns, and releases them when the subscription
 * completes, fails or is cancelled and the surrounding transaction has ended. Calls the method once per subscription, while the
 * locks are held. Never blocks the subscriber. The Reactor context carries the locks of enclosing calls, which are re-entered.
 */
final class ReactiveRunner extends CallRunner {

    private final Executor executor;

    ReactiveRunner(FailureAnswers answers, Supplier<LockScope> scope, Executor executor) {
        super(answers, scope);
        this.executor = executor;
    }

    @Override
    Object run(LockInvocationContext call) {
        EnclosingTransaction atCall = scope().enclosingTransaction(call);
        CallerContext caller = CallerContext.captured();
        ReactiveAdapter adapter = ReactiveTypes.adapterOf(call.method().returnType());
        Flux<?> work = surroundings(call, atCall).flatMapMany(entry -> new Subscription(call, entry, caller).values());
        // A single value comes when the locks are released: if one is lost, a failure replaces it.
        return adapter.fromPublisher(adapter.isMultiValue() ? work : work.singleOrEmpty());
    }

    /** Another thread than the one that brings an answer. It goes on with what the current thread knows. */
    private Scheduler elsewhereAsHere() {
        return Schedulers.fromExecutor(CallerContext.captured().on(executor));
    }

    /**
     * The owners and transactions of a subscription. A transaction may surround the method call, the subscribing thread, or the
     * subscriber by its context: each of them keeps the locks.
     */
    private Mono<AsyncLockScope> surroundings(LockInvocationContext call, @Nullable EnclosingTransaction atCall) {
        return Mono.deferContextual(context -> {
            Set<EnclosingTransaction> all = new LinkedHashSet<>();
            if (atCall != null) {
                all.add(atCall);
            }
            EnclosingTransaction atSubscription = scope().enclosingTransaction(call);
            if (atSubscription != null) {
                all.add(atSubscription);
            }
            return ReactiveTransactions.current()
                    .filter(hold -> scope().joinsUnboundTransaction(call))
                    .doOnNext(all::add)
                    .then(Mono.fromSupplier(() -> AsyncLockScope.of(call, ReactiveLocks.in(context), all)));
        });
    }

    /** One subscription, with its locks or the one that was refused. */
    private final class Subscription {

        private final LockInvocationContext call;
        private final AsyncLockScope entry;
        private final CallerContext caller;
        private AttemptResult.@Nullable Failed refused;
        private @Nullable HeldLocks held;
        private @Nullable LockedCoroutine coroutine;

        /** The lost lease that fails the subscription; known once the locks are released. */
        private volatile @Nullable LockLostException loss;

        Subscription(LockInvocationContext call, AsyncLockScope entry, CallerContext caller) {
            this.call = call;
            this.entry = entry;
            this.caller = caller;
        }

        Flux<?> values() {
            return Flux.usingWhen(
                            acquired(),
                            self -> Flux.<Object>from(work()).contextWrite(this::withLocks),
                            self -> released(),
                            (self, failure) -> failedAndReleased(),
                            self -> cancelledAndReleased())
                    .onErrorMap(this::lossOr)
                    .concatWith(Mono.defer(() -> loss == null ? Mono.empty() : Mono.error(loss)));
        }

        private Throwable lossOr(Throwable failure) {
            LockLostException found = loss;
            if (found == null || failure instanceof LockLostException) {
                return failure;
            }
            found.addSuppressed(failure);
            return found;
        }

        private Mono<Subscription> acquired() {
            return Mono.<Subscription>create(sink -> {
                        Executor asSubscriber = CallerContext.captured().on(executor);
                        long start = System.nanoTime();
                        CompletableFuture<MultiLock.Outcome> attempt = AttemptResult.acquireAsync(call, entry::ownerOf);
                        // If it comes too late, the sink discards what it is given.
                        sink.onCancel(() -> attempt.cancel(true));
                        boolean atOnce = attempt.isDone();
                        attempt.whenComplete((outcome, failure) -> {
                            Runnable next = () -> {
                                Throwable reason = failure;
                                if (reason == null) {
                                    try {
                                        sink.success(with(outcome, start));
                                        return;
                                    } catch (Throwable e) {
                                        reason = e;
                                    }
                                }
                                sink.error(reason);
                            };
                            if (atOnce) {
                                next.run();
                            } else {
                                // The method must not run on a thread of the engine.
                                asSubscriber.execute(next);
                            }
                        });
                    })
                    .doOnDiscard(Subscription.class, Subscription::discard);
        }

        /** This one, now that it is known what came of its attempt. */
        private Subscription with(MultiLock.Outcome outcome, long start) {
            AttemptResult attempted = AttemptResult.of(outcome, call, start);
            refused = attempted.refused();
            if (refused == null) {
                HeldLocks locks = call.holding(attempted.leases(), scope());
                entry.acquired(locks);
                held = locks;
                coroutine = call.method().runsInCoroutine() ? new LockedCoroutine(locks) : null;
            }
            return this;
        }

        private void discard() {
            failed();
            release();
        }

        private Publisher<?> work() {
            // As without a lock: the method sees what its caller knows, and the publisher what its subscriber knows.
            try (CallerContext.Scope ignored = caller.restored()) {
                Object own = result();
                return own == null ? Mono.error(call.nothingReturned()) : publisherOf(own);
            } catch (Throwable e) {
                return Mono.error(e);
            }
        }

        private @Nullable Object result() throws Throwable {
            HeldLocks locks = held;
            if (locks != null) {
                return locks.run(() -> call.proceed(locks, perSubscription()));
            }
            AttemptResult.Failed lock = Objects.requireNonNull(refused);
            return answers.proceedsWithoutLock(call, lock) ? perSubscription().proceed() : answers.answer(call, lock);
        }

        private Publisher<?> publisherOf(Object own) {
            ReactiveAdapter adapter = ReactiveTypes.adapterOf(call.method().returnType());
            return coroutine == null ? adapter.toPublisher(own) : coroutine.publisherOf(own, adapter);
        }

        private MethodInvocation perSubscription() {
            MethodInvocation copy = call.copy();
            Object continuation = call.continuation();
            if (coroutine != null && continuation != null) {
                @Nullable Object[] arguments = copy.getArguments();
                arguments[arguments.length - 1] = coroutine.continuing(continuation);
            }
            return copy;
        }

        private Context withLocks(Context context) {
            return held == null ? context : ReactiveLocks.with(held, context);
        }

        private Mono<Void> released() {
            return Mono.defer(() -> {
                CompletableFuture<@Nullable LockLostException> released = release();
                Mono<Void> end = Mono.fromFuture(released)
                        .doOnNext(found -> loss = found)
                        .then();
                // Later operators must not run on the thread that brings the answers.
                return released.isDone() ? end : end.publishOn(elsewhereAsHere());
            });
        }

        private Mono<Void> failedAndReleased() {
            failed();
            return released();
        }

        /** A coroutine goes on until it notices that it is cancelled, and may then have to clean up. */
        private Mono<Void> cancelledAndReleased() {
            failed();
            LockedCoroutine cancelled = coroutine;
            return cancelled == null
                    ? released()
                    : Mono.defer(() -> Mono.fromFuture(cancelled.end(), true).then(released()));
        }

        /** The work has failed, was cancelled or did not begin. */
        private void failed() {
            if (held != null) {
                held.failed();
            }
        }

        private CompletableFuture<@Nullable LockLostException> release() {
            return held == null ? CompletableFuture.completedFuture(null) : held.releaseAndFindLossAsync();
        }
    }
}
