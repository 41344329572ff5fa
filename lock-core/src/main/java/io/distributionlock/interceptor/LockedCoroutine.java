package io.distributionlock.interceptor;

import io.distributionlock.LockContext;
import io.distributionlock.hold.CurrentLocks;
import io.distributionlock.hold.HeldLocks;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import kotlin.Unit;
import kotlin.coroutines.AbstractCoroutineContextElement;
import kotlin.coroutines.Continuation;
import kotlin.coroutines.ContinuationInterceptor;
import kotlin.coroutines.CoroutineContext;
import kotlinx.coroutines.Deferred;
import kotlinx.coroutines.Dispatchers;
import kotlinx.coroutines.Job;
import kotlinx.coroutines.ThreadContextElement;
import kotlinx.coroutines.flow.Flow;
import kotlinx.coroutines.reactor.ReactorFlowKt;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.core.ReactiveAdapter;

/**
 * The coroutine that runs a locked suspending function, flow or deferred, seen from its context. A publisher does not tell when a coroutine
 * that is cancelled has ended; its job does. Shows the locks to {@link LockContext} on each thread that the coroutine runs on.
 */
final class LockedCoroutine extends AbstractCoroutineContextElement implements ThreadContextElement<Unit> {

    private final HeldLocks held;
    private @Nullable Job job;
    private boolean abandoned;

    LockedCoroutine(HeldLocks held) {
        // A key of its own: the context may have the coroutine around this one too.
        super(new CoroutineContext.Key<LockedCoroutine>() {});
        this.held = held;
    }

    /** Wraps the continuation: what is started for it runs as this coroutine. */
    Object continuing(Object continuation) {
        Continuation<?> caller = (Continuation<?>) continuation;
        CoroutineContext context = caller.getContext().plus(this);
        return new Continuation<Object>() {
            @Override
            public CoroutineContext getContext() {
                return context;
            }

            @Override
            @SuppressWarnings("unchecked")
            public void resumeWith(Object result) {
                ((Continuation<Object>) caller).resumeWith(result);
            }
        };
    }

    /** The result of the function: a flow is collected by this coroutine, a deferred is one itself and runs already. */
    Publisher<?> publisherOf(Object result, ReactiveAdapter adapter) {
        if (result instanceof Flow<?> flow) {
            return ReactorFlowKt.asFlux(flow, this);
        }
        if (result instanceof Deferred<?> deferred) {
            synchronized (this) {
                job = deferred;
            }
        }
        return adapter.toPublisher(result);
    }

    /** Cancels the coroutine, and completes when it has ended. */
    CompletableFuture<@Nullable Void> end() {
        Job running;
        synchronized (this) {
            running = job;
            abandoned = running == null;
        }
        CompletableFuture<@Nullable Void> end = new CompletableFuture<>();
        if (running == null) {
            end.complete(null);
        } else {
            running.cancel(null);
            running.invokeOnCompletion(failure -> {
                end.complete(null);
                return Unit.INSTANCE;
            });
        }
        return end;
    }

    @Override
    public Unit updateThreadContext(CoroutineContext context) {
        synchronized (this) {
            if (job == null) {
                // The first coroutine with this context is the one; those that it starts inherit the context.
                job = context.get(Job.Key);
                // A dispatcher does not start what is cancelled. Without one, that was checked before this call.
                if (abandoned && context.get(ContinuationInterceptor.Key) == Dispatchers.getUnconfined()) {
                    throw new CancellationException("The coroutine was cancelled, and its lock is released.");
                }
            }
        }
        CurrentLocks.enter(held);
        return Unit.INSTANCE;
    }

    @Override
    public void restoreThreadContext(CoroutineContext context, Unit oldState) {
        CurrentLocks.leave();
    }
}
