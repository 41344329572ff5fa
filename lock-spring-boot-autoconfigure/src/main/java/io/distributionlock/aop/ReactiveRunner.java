package io.distributionlock.aop;

import io.distributionlock.HeldLocks;
import io.distributionlock.Lease;
import io.distributionlock.LockLostException;
import io.distributionlock.LockOwner;
import io.distributionlock.LockSurroundings;
import io.distributionlock.LockSurroundings.Surrounding;
import io.distributionlock.MultiLock;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.core.ReactiveAdapter;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.Context;

/**
 * Takes the locks for each subscription of the {@code Mono}, {@code Flux} or the like that the method returns, and gives them back when
 * that completes, fails or is cancelled, and the transaction that surrounds it has ended. The method itself is called once per
 * subscription, inside the locks. Never blocks the subscriber. The Reactor context tells which locks the calls around this one
 * hold, and those are entered again.
 */
final class ReactiveRunner implements CallRunner {

    private final FailureAnswers answers;
    private final Supplier<LockSurroundings> surroundings;
    private final Executor elsewhereExecutor =
            new ElsewhereExecutor(() -> task -> Schedulers.boundedElastic().schedule(task));
    private final Scheduler elsewhere = Schedulers.fromExecutor(elsewhereExecutor);

    ReactiveRunner(FailureAnswers answers, Supplier<LockSurroundings> surroundings) {
        this.answers = answers;
        this.surroundings = surroundings;
    }

    @Override
    public Object run(LockedCall call) {
        Surrounding atCall = surroundings.get().current(call);
        ReactiveAdapter adapter = ReactiveTypes.adapterOf(call.method().returnType());
        return adapter.fromPublisher(adapter.isMultiValue() ? flux(call, atCall) : mono(call, atCall));
    }

    private Flux<?> flux(LockedCall call, @Nullable Surrounding atCall) {
        return Flux.defer(() -> {
            LockedCall now = call.asOfNow();
            return entry(now, atCall).flatMapMany(entry -> flux(now, entry));
        });
    }

    private Mono<?> mono(LockedCall call, @Nullable Surrounding atCall) {
        return Mono.defer(() -> {
            LockedCall now = call.asOfNow();
            return entry(now, atCall).flatMap(entry -> mono(now, entry));
        });
    }

    /**
     * How a subscription enters. A transaction may surround the call of the method, the thread that subscribes, or the subscriber
     * by its context: each of them outlives the locks.
     */
    private Mono<AsyncEntry> entry(LockedCall call, @Nullable Surrounding atCall) {
        return Mono.deferContextual(context -> {
            Set<Surrounding> all = new LinkedHashSet<>();
            if (atCall != null) {
                all.add(atCall);
            }
            Surrounding atSubscription = surroundings.get().current(call);
            if (atSubscription != null) {
                all.add(atSubscription);
            }
            return reactiveTransaction(call).map(hold -> {
                hold.ifPresent(all::add);
                return AsyncEntry.of(call.namesToTake(), ReactiveLocks.ownersOf(call.namesToTake(), call.template(), context), all);
            });
        });
    }

    private Mono<Optional<TransactionHold>> reactiveTransaction(LockedCall call) {
        if (!(surroundings.get() instanceof SpringSurroundings spring)) {
            return Mono.just(Optional.empty());
        }
        return ReactiveTransactions.current()
                .doOnNext(hold -> spring.refuseIfConfigured(call))
                .map(Optional::of)
                .defaultIfEmpty(Optional.empty());
    }

    private Mono<?> mono(LockedCall call, AsyncEntry entry) {
        Loss loss = new Loss();
        return Mono.usingWhen(
                        sessions(call, entry),
                        session -> Mono.<Object>fromDirect(session.work()).contextWrite(session::withLocks),
                        session -> session.release(loss),
                        (session, failure) -> session.release(loss),
                        session -> session.release(loss))
                .onErrorMap(loss::orElse)
                .flatMap(value -> loss.<Object>orElseEmpty().switchIfEmpty(Mono.just(value)))
                .switchIfEmpty(Mono.defer(loss::orElseEmpty));
    }

    private Flux<?> flux(LockedCall call, AsyncEntry entry) {
        Loss loss = new Loss();
        return Flux.usingWhen(
                        sessions(call, entry),
                        session -> Flux.<Object>from(session.work()).contextWrite(session::withLocks),
                        session -> session.release(loss),
                        (session, failure) -> session.release(loss),
                        session -> session.release(loss))
                .onErrorMap(loss::orElse)
                .concatWith(Mono.defer(loss::orElseEmpty));
    }

    /** The loss of a lease that is to fail one subscription, known once the locks are given back. */
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

    private Mono<Session> sessions(LockedCall call, AsyncEntry entry) {
        return Mono.<Session>create(sink -> {
                    CompletableFuture<MultiLock.Outcome> taking =
                            LockTaker.takeAsync(call.toTake(), call.template(), entry);
                    sink.onCancel(() -> {
                        if (taking.cancel(true)) {
                            entry.over();
                        } else {
                            taking.thenAccept(late -> discard(session(call, late, entry)));
                        }
                    });
                    boolean atOnce = taking.isDone();
                    taking.whenComplete((taken, failure) -> {
                        Runnable next = () -> {
                            if (failure != null) {
                                entry.over();
                                sink.error(failure);
                            } else {
                                sink.success(session(call, taken, entry));
                            }
                        };
                        if (atOnce) {
                            next.run();
                        } else {
                            // The method must not run on a thread of the engine.
                            elsewhereExecutor.execute(next);
                        }
                    });
                })
                .doOnDiscard(Session.class, this::discard);
    }

    private Session session(LockedCall call, MultiLock.Outcome outcome, AsyncEntry entry) {
        Taking taking = LockTaker.taking(outcome, call.toTake());
        HeldLocks held = taking instanceof Taking.Taken taken ? call.holding(taken.leases(), surroundings.get()) : null;
        if (held != null) {
            entry.got(held);
        }
        return new Session(call, taking, held, entry);
    }

    private void discard(Session session) {
        session.release();
    }

    /** One subscription, with its locks or the reason why it has none. */
    private final class Session {

        private final LockedCall call;
        private final Taking taking;
        private final @Nullable HeldLocks held;
        private final AsyncEntry entry;

        Session(LockedCall call, Taking taking, @Nullable HeldLocks held, AsyncEntry entry) {
            this.call = call;
            this.taking = taking;
            this.held = held;
            this.entry = entry;
        }

        Publisher<?> work() {
            try {
                Object own = held != null
                        ? held.run(() -> call.proceed(held, perSubscription()))
                        : withoutLock((Taking.Refused) taking);
                return own == null ? Mono.error(call.nothingReturned()) : publisherOf(own);
            } catch (Throwable e) {
                return Mono.error(e);
            }
        }

        private Publisher<?> publisherOf(Object own) {
            LockedMethod method = call.method();
            ReactiveAdapter adapter = ReactiveTypes.adapterOf(method.returnType());
            Publisher<?> publisher = adapter.toPublisher(own);
            if (!method.leavesElementsOpen()) {
                return publisher;
            }
            return adapter.isMultiValue()
                    ? Flux.from(publisher).doOnNext(method::requireFinished)
                    : Mono.fromDirect(publisher).doOnNext(method::requireFinished);
        }

        private @Nullable Object withoutLock(Taking.Refused refused) throws Throwable {
            return answers.proceedsWithoutLock(call, refused)
                    ? perSubscription().proceed()
                    : answers.answer(call, refused);
        }

        /** An invocation can be walked through once only. */
        private MethodInvocation perSubscription() {
            return call.invocation() instanceof ProxyMethodInvocation proxied
                    ? proxied.invocableClone(call.arguments().clone())
                    : call.invocation();
        }

        Context withLocks(Context context) {
            return held == null ? context : ReactiveLocks.with(held, call.template(), this::ownerOf, context);
        }

        private @Nullable LockOwner ownerOf(Lease lease) {
            return lease instanceof PassedLease ? null : entry.ownerOf(lease.name());
        }

        Mono<Void> release(Loss loss) {
            return Mono.defer(() -> {
                CompletableFuture<@Nullable LockLostException> released = release();
                Mono<Void> end = Mono.fromFuture(released).doOnNext(loss::set).then();
                // What follows must not run where the answers come in.
                return released.isDone() ? end : end.publishOn(elsewhere);
            });
        }

        CompletableFuture<@Nullable LockLostException> release() {
            CompletableFuture<@Nullable LockLostException> released =
                    held == null ? CompletableFuture.completedFuture(null) : held.releaseAndFindLossAsync();
            return released.whenComplete((loss, failure) -> entry.over());
        }
    }
}
