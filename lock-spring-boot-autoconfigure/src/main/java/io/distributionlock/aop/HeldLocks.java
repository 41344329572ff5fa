package io.distributionlock.aop;

import io.distributionlock.Lease;
import io.distributionlock.LockLostException;
import io.distributionlock.ReleaseResult;
import io.distributionlock.annotation.CommitGuard;
import io.distributionlock.annotation.OnLost;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.aopalliance.intercept.MethodInvocation;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * The locks that one call holds, from the moment they are got until they are given back: tells of a loss at once, by the rule
 * of the annotation, and remembers it for the end.
 */
final class HeldLocks {

    private static final Log log = LogFactory.getLog(HeldLocks.class);

    private final LockedCall call;
    private final List<Lease> leases;
    private final LockEvents events;
    private final Set<String> lost = ConcurrentHashMap.newKeySet();
    private final Object interruptMonitor = new Object();
    private @Nullable Thread runner;
    private boolean interrupted;

    HeldLocks(LockedCall call, List<Lease> leases, LockEvents events) {
        this.call = call;
        this.leases = leases;
        this.events = events;
        for (int i = 0; i < leases.size(); i++) {
            OnLost onLost = call.locks().get(i).declaration().annotation().onLost();
            leases.get(i).onLost(lease -> lost(lease, onLost));
        }
    }

    List<Lease> leases() {
        return leases;
    }

    LockedCall call() {
        return call;
    }

    /** Runs the method; its own exceptions pass through as they are. */
    @Nullable
    Object proceed() throws Throwable {
        return proceed(call.invocation());
    }

    /** Runs an invocation of the method, with the parameters filled in that the caller left open. */
    @Nullable
    Object proceed(MethodInvocation invocation) throws Throwable {
        for (Injection injection : call.method().injections()) {
            injection.fill(invocation.getArguments(), leases.get(0));
        }
        boolean announced = NestedProxies.announce(invocation);
        LockContext.enter(this);
        started();
        try {
            return invocation.proceed();
        } finally {
            stopped();
            LockContext.leave();
            if (announced) {
                NestedProxies.withdraw();
            }
        }
    }

    /**
     * @throws LockLostException if a lease is lost, by the local clock or, if the annotation asks for that, by the backend
     */
    void requireValid() {
        for (int i = 0; i < leases.size(); i++) {
            Lease lease = leases.get(i);
            boolean remote = call.locks().get(i).declaration().annotation().commitGuard() == CommitGuard.REMOTE;
            if (!lease.isValid() || (remote && !lease.confirm())) {
                report(lease);
                throw new LockLostException(lease.name());
            }
        }
    }

    /** From here until {@link #stopped()} a loss may interrupt the calling thread. */
    private void started() {
        synchronized (interruptMonitor) {
            runner = Thread.currentThread();
            if (interrupted) {
                runner.interrupt();
            }
        }
    }

    /** The method has ended: an interrupt that was meant for it must not hit what the thread does next. */
    private void stopped() {
        synchronized (interruptMonitor) {
            runner = null;
            if (interrupted) {
                Thread.interrupted();
            }
        }
    }

    private void lost(Lease lease, OnLost onLost) {
        report(lease);
        if (onLost == OnLost.INTERRUPT) {
            synchronized (interruptMonitor) {
                interrupted = true;
                if (runner != null) {
                    runner.interrupt();
                }
            }
        }
    }

    private void report(Lease lease) {
        if (lost.add(lease.name())) {
            log.warn("The lease of lock '" + lease.name() + "' was lost before " + call.describeMethod()
                    + " returned: another may have held the lock meanwhile. Hold the lock longer, or leave holdLockTime out so"
                    + " that it is renewed.");
            events.publish(new LockLostEvent(lease.name(), call.method().method()));
        }
    }

    /**
     * What the caller gets instead of the method's result because a lease is lost, or {@code null} if the result stands.
     */
    @Nullable
    LockLostException lossToThrow() {
        for (int i = 0; i < leases.size(); i++) {
            Lease lease = leases.get(i);
            if (call.locks().get(i).declaration().annotation().onLost() == OnLost.THROW
                    && (lost.contains(lease.name()) || !lease.isValid())) {
                report(lease);
                return new LockLostException(lease.name());
            }
        }
        return null;
    }

    /** Gives the locks back. Never throws: what the method returned or threw must reach the caller. */
    void release() {
        for (int i = leases.size() - 1; i >= 0; i--) {
            Lease lease = leases.get(i);
            try {
                if (lease.release() == ReleaseResult.LOST) {
                    report(lease);
                }
            } catch (RuntimeException e) {
                log.error("Lock '" + lease.name() + "' was not released properly after " + call.describeMethod(), e);
            }
        }
    }

    /** As {@link #release()}; says afterwards whether a lease turned out to be lost although it had seemed valid. */
    @Nullable
    LockLostException releaseAndFindLoss() {
        LockLostException before = lossToThrow();
        release();
        if (before != null) {
            return before;
        }
        for (int i = 0; i < leases.size(); i++) {
            if (lost.contains(leases.get(i).name())
                    && call.locks().get(i).declaration().annotation().onLost() == OnLost.THROW) {
                return new LockLostException(leases.get(i).name());
            }
        }
        return null;
    }
}
