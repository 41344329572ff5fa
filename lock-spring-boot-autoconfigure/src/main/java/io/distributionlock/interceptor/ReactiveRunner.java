package io.distributionlock.interceptor;

import io.distributionlock.HeldLocks;
import io.distributionlock.Lease;
import io.distributionlock.LockLostException;
import io.distributionlock.LockScope;
import io.distributionlock.LockScope.EnclosingTransaction;
import io.distributionlock.MultiLock;
import io.distributionlock.context.CallerContext;
import io.distributionlock.failure.FailureAnswers;
import io.distributionlock.reflect.ReactiveTypes;
import io.distributionlock.transaction.ReactiveLocks;
import io.distributionlock.transaction.ReactiveTransactions;
import java.util.LinkedHashSet;
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
final class ReactiveRunner implements CallRunner {

    private final FailureAnswers answers;
    private final Supplier<LockScope> scope;
    private final Executor executor;

    ReactiveRunner(FailureAnswers answers, Supplier<LockScope> scope, Executor executor) {
        this.answers = answers;
        this.scope = scope;
        this.executor = executor;
    }

    @Override
    public Object run(LockedCall call) {
        EnclosingTransaction atCall = scope.get().enclosingTransaction(call);
        CallerContext caller = CallerContext.captured();
        ReactiveAdapter adapter = ReactiveTypes.adapterOf(call.method().returnType());
        Flux<?> work = Flux.defer(() -> {
            LockedCall now = call.asOfNow();
            return entry(now, atCall).flatMapMany(entry -> locked(now, entry, caller));
        });
        // A single value comes when the locks are released: if one is lost, a failure replaces it.
        return adapter.fromPublisher(adapter.isMultiValue() ? work : work.singleOrEmpty());
    }

    /** What a subscription enters with, once the token of a passed lease is known. */
    private Mono<AsyncLockScope> entry(LockedCall call, @Nullable EnclosingTransaction atCall) {
        Lease tokenless = call.passedWithoutToken();
        Mono<AsyncLockScope> surroundings = surroundings(call, atCall);
        return tokenless == null
                ? surroundings
                : Mono.fromFuture(tokenless::fencingTokenAsync)
                        .publishOn(elsewhereAsHere())
                        .then(surroundings);
    }

    /** Another thread than the one that brings an answer. It goes on with what the current thread knows. */
    private Scheduler elsewhereAsHere() {
        return Schedulers.fromExecutor(CallerContext.captured().on(executor));
    }

    /**
     * The owners and transactions of a subscription. A transaction may surround the method call, the subscribing thread, or the
     * subscriber by its context: each of them keeps the locks.
     */
    private Mono<AsyncLockScope> surroundings(LockedCall call, @Nullable EnclosingTransaction atCall) {
        return Mono.deferContextual(context -> {
            Set<EnclosingTransaction> all = new LinkedHashSet<>();
            if (atCall != null) {
                all.add(atCall);
            }
            EnclosingTransaction atSubscription = scope.get().enclosingTransaction(call);
            if (atSubscription != null) {
                all.add(atSubscription);
            }
            return ReactiveTransactions.current()
                    .filter(hold -> scope.get().joinsUnboundTransaction(call))
                    .doOnNext(all::add)
                    .then(Mono.fromSupplier(() -> AsyncLockScope.of(call, ReactiveLocks.in(context), all)));
        });
    }

    private Flux<?> locked(LockedCall call, AsyncLockScope entry, CallerContext caller) {
        Loss loss = new Loss();
        return Flux.usingWhen(
                        sessions(call, entry, caller),
                        session -> Flux.<Object>from(session.work()).contextWrite(session::withLocks),
                        session -> session.release(loss),
                        (session, failure) -> session.fail(loss),
                        session -> session.cancel(loss))
                .onErrorMap(loss::orElse)
                .concatWith(Mono.defer(loss::orElseEmpty));
    }

    /** The lost lease that fails one subscription; known once the locks are released. */
    private static final class Loss {

        private volatile @Nullable LockLostException exception;

        void set(@Nullable LockLostException found) {
            exception = found;
        }

        <T> Mono<T> orElseEmpty() {
            LockLostException found = exception;
            return found == null ? Mono.empty() : Mono.error(found);
        }

        Throwable orElse(Throwable failure) {
            LockLostException found = exception;
            if (found == null || failure instanceof LockLostException) {
                return failure;
            }
            found.addSuppressed(failure);
            return found;
        }
    }

    private Mono<Session> sessions(LockedCall call, AsyncLockScope entry, CallerContext caller) {
        return Mono.<Session>create(sink -> {
                    Executor asSubscriber = CallerContext.captured().on(executor);
                    long start = System.nanoTime();
                    CompletableFuture<MultiLock.Outcome> acquisition = Acquisition.acquireAsync(call, entry::ownerOf);
                    sink.onCancel(() -> {
                        if (acquisition.cancel(true)) {
                            entry.ended();
                        } else {
                            acquisition.thenAccept(late -> discard(session(call, late, entry, caller, start)));
                        }
                    });
                    boolean atOnce = acquisition.isDone();
                    acquisition.whenComplete((outcome, failure) -> {
                        Runnable next = () -> {
                            if (failure != null) {
                                entry.ended();
                                sink.error(failure);
                            } else {
                                sink.success(session(call, outcome, entry, caller, start));
                            }
                        };
                        if (atOnce) {
                            next.run();
                        } else {
                            // The method must not run on a thread of the engine.
                            asSubscriber.execute(next);
                        }
                    });
                })
                .doOnDiscard(Session.class, this::discard);
    }

    private Session session(
            LockedCall call, MultiLock.Outcome outcome, AsyncLockScope entry, CallerContext caller, long start) {
        Acquisition acquisition = Acquisition.of(outcome, call, start);
        Acquisition.Refused refused = acquisition.refused();
        if (refused != null) {
            return new Session(call, refused, null, entry, caller);
        }
        HeldLocks held = call.holding(acquisition.leases(), scope.get());
        entry.acquired(held);
        return new Session(call, null, held, entry, caller);
    }

    private void discard(Session session) {
        session.failed();
        session.release();
    }

    /** One subscription, with its locks or the one that was refused. */
    private final class Session {

        private final LockedCall call;
        private final Acquisition.@Nullable Refused refused;
        private final @Nullable HeldLocks held;
        private final AsyncLockScope entry;
        private final CallerContext caller;
        private final @Nullable LockedCoroutine coroutine;

        Session(
                LockedCall call,
                Acquisition.@Nullable Refused refused,
                @Nullable HeldLocks held,
                AsyncLockScope entry,
                CallerContext caller) {
            this.call = call;
            this.refused = refused;
            this.held = held;
            this.entry = entry;
            this.caller = caller;
            this.coroutine = held != null && call.method().runsInCoroutine() ? new LockedCoroutine(held) : null;
        }

        Publisher<?> work() {
            // As without a lock: the method sees what its caller knows, and the publisher what its subscriber knows.
            try (CallerContext.Scope ignored = caller.restored()) {
                Object own = result();
                return own == null ? Mono.error(call.nothingReturned()) : publisherOf(own);
            } catch (Throwable e) {
                return Mono.error(e);
            }
        }

        private @Nullable Object result() throws Throwable {
            if (held != null) {
                return held.run(() -> call.proceed(held, perSubscription()));
            }
            return refused == null ? null : withoutLock(refused);
        }

        private Publisher<?> publisherOf(Object own) {
            ReactiveAdapter adapter = ReactiveTypes.adapterOf(call.method().returnType());
            return coroutine == null ? adapter.toPublisher(own) : coroutine.publisherOf(own, adapter);
        }

        private @Nullable Object withoutLock(Acquisition.Refused lock) throws Throwable {
            return answers.proceedsWithoutLock(call, lock) ? perSubscription().proceed() : answers.answer(call, lock);
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

        Context withLocks(Context context) {
            return held == null ? context : ReactiveLocks.with(held, context);
        }

        Mono<Void> release(Loss loss) {
            return Mono.defer(() -> {
                CompletableFuture<@Nullable LockLostException> released = release();
                Mono<Void> end = Mono.fromFuture(released).doOnNext(loss::set).then();
                // Later operators must not run on the thread that brings the answers.
                return released.isDone() ? end : end.publishOn(elsewhereAsHere());
            });
        }

        Mono<Void> fail(Loss loss) {
            failed();
            return release(loss);
        }

        /** The work has failed, was cancelled or did not begin. */
        void failed() {
            if (held != null) {
                held.failed();
            }
        }

        /** The subscription is cancelled. A coroutine goes on until it notices, and may then have to clean up. */
        Mono<Void> cancel(Loss loss) {
            failed();
            return coroutine == null
                    ? release(loss)
                    : Mono.defer(() -> Mono.fromFuture(coroutine.end(), true).then(release(loss)));
        }

        CompletableFuture<@Nullable LockLostException> release() {
            CompletableFuture<@Nullable LockLostException> released =
                    held == null ? CompletableFuture.completedFuture(null) : held.releaseAndFindLossAsync();
            return released.whenComplete((loss, failure) -> entry.ended());
        }
    }
}
