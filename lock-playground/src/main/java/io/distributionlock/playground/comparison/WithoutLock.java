package io.distributionlock.playground.comparison;

import io.distributionlock.DelegatingLockExecutor;
import io.distributionlock.LockExecutor;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import java.util.concurrent.CompletableFuture;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

/**
 * Grants the requests that a burst sends "without the lock" every lock at once, so that the same code runs with and
 * without it. For comparison only, do not copy it: a request must not decide whether it is locked.
 */
public final class WithoutLock extends DelegatingLockExecutor {

    /** The header with the name of the run that a request belongs to. */
    public static final String RUN = "X-Playground-Run";

    /** The header with the number of a request in its run. */
    public static final String NUMBER = "X-Playground-Number";

    /** The header that is {@link #OFF} in a request of a run without the lock. */
    public static final String LOCK = "X-Playground-Lock";

    /** See {@link #LOCK}. */
    public static final String OFF = "off";

    WithoutLock(LockExecutor delegate) {
        super(delegate);
    }

    @Override
    public CompletableFuture<LockOutcome> acquire(LockRequest request, LockOwner owner) {
        return isAsked()
                ? CompletableFuture.completedFuture(new LockOutcome.Acquired(new NoLease(request.name())))
                : super.acquire(request, owner);
    }

    /** Whether the calling thread handles a request of a run without the lock. */
    public static boolean isAsked() {
        return RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes attributes
                && attributes.getRequest().getHeader(RUN) != null
                && OFF.equals(attributes.getRequest().getHeader(LOCK));
    }
}
