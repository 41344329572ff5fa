package io.distributionlock.aop;

import io.distributionlock.LockLostException;
import io.distributionlock.LockOwner;
import io.distributionlock.MultiLock;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.aop.ProxyMethodInvocation;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.ContextView;

/**
 * Takes the locks for each subscription of the {@code Mono} or {@code Flux} that the method returns, and gives them back when
 * that completes, fails or is cancelled. The method itself is called once per subscription, inside the locks. Never blocks the
 * subscriber; re-entry follows the Reactor context.
 */
final class ReactiveRunner implements CallRunner {

    private final FailureAnswers answers;
    private final LockEvents events;
    private final Executor releaseExecutor = task -> Schedulers.boundedElastic().schedule(task);

    ReactiveRunner(FailureAnswers answers, LockEvents events) {
        this.answers = answers;
        this.events = events;
    }

    @Override
    public Object run(LockedCall call) {
        return ReturnShape.of(call.method().returnType()) == ReturnShape.MONO ? mono(call) : flux(call);
    }

    private Mono<?> mono(LockedCall call) {
        return Mono.deferContextual(context -> {
            LockOwner owner = ownerIn(context);
            Loss loss = new Loss();
            return Mono.usingWhen(
                            sessions(call, owner),
                            session -> Mono.<Object>from(session.work()),
                            session -> session.release(loss),
                            (session, failure) -> session.release(loss),
                            session -> session.release(loss))
                    .onErrorMap(loss::orElse)
                    .flatMap(value -> loss.<Object>orElseEmpty().switchIfEmpty(Mono.just(value)))
                    .switchIfEmpty(Mono.defer(loss::orElseEmpty))
                    .contextWrite(inner -> inner.put(LockOwner.class, owner));
        });
    }

    private Flux<?> flux(LockedCall call) {
        return Flux.deferContextual(context -> {
            LockOwner owner = ownerIn(context);
            Loss loss = new Loss();
            return Flux.usingWhen(
                            sessions(call, owner),
                            session -> Flux.<Object>from(session.work()),
                            session -> session.release(loss),
                            (session, failure) -> session.release(loss),
                            session -> session.release(loss))
                    .onErrorMap(loss::orElse)
                    .concatWith(Mono.defer(loss::orElseEmpty))
                    .contextWrite(inner -> inner.put(LockOwner.class, owner));
        });
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
            if (found == null) {
                return failure;
            }
            found.addSuppressed(failure);
            return found;
        }
    }

    private static LockOwner ownerIn(ContextView context) {
        return context.getOrEmpty(LockOwner.class).map(LockOwner.class::cast).orElseGet(LockOwner::unique);
    }

    private Mono<Session> sessions(LockedCall call, LockOwner owner) {
        return Mono.<Session>create(sink -> {
                    CompletableFuture<MultiLock.Outcome> taking =
                            LockTaker.takeAsync(call.locks(), call.template(), owner, releaseExecutor);
                    sink.onCancel(() -> {
                        if (!taking.cancel(true)) {
                            taking.thenAccept(late -> discard(session(call, late)));
                        }
                    });
                    boolean atOnce = taking.isDone();
                    taking.whenComplete((taken, failure) -> {
                        Runnable next = () -> {
                            if (failure != null) {
                                sink.error(failure);
                            } else {
                                sink.success(session(call, taken));
                            }
                        };
                        if (atOnce) {
                            next.run();
                        } else {
                            // The method must not run on a thread of the engine.
                            releaseExecutor.execute(next);
                        }
                    });
                })
                .doOnDiscard(Session.class, this::discard);
    }

    private Session session(LockedCall call, MultiLock.Outcome outcome) {
        Taking taking = LockTaker.taking(outcome, call.locks());
        HeldLocks held = taking instanceof Taking.Taken taken ? new HeldLocks(call, taken.leases(), events) : null;
        return new Session(call, taking, held);
    }

    private void discard(Session session) {
        releaseExecutor.execute(() -> {
            if (session.held != null) {
                session.held.release();
            }
        });
    }

    /** One subscription, with its locks or the reason why it has none. */
    private final class Session {

        private final LockedCall call;
        private final Taking taking;
        private final @Nullable HeldLocks held;

        Session(LockedCall call, Taking taking, @Nullable HeldLocks held) {
            this.call = call;
            this.taking = taking;
            this.held = held;
        }

        Publisher<?> work() {
            try {
                Object own = held != null ? held.proceed(perSubscription()) : withoutLock((Taking.Refused) taking);
                return own instanceof Publisher<?> publisher ? publisher : Mono.empty();
            } catch (Throwable e) {
                return Mono.error(e);
            }
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

        Mono<Void> release(Loss loss) {
            return held == null
                    ? Mono.empty()
                    : Mono.<Void>fromRunnable(() -> loss.set(held.releaseAndFindLoss()))
                            .subscribeOn(Schedulers.boundedElastic());
        }
    }
}
