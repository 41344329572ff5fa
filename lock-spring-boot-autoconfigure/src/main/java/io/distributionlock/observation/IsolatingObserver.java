package io.distributionlock.observation;

import io.distributionlock.Lease;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockRequest;
import io.distributionlock.monitor.LockObserver;
import java.util.function.Supplier;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/** Logs exceptions of an observer, so that they do not affect the locks that it observes. */
record IsolatingObserver(LockObserver observer) implements LockObserver {

    private static final Log log = LogFactory.getLog(IsolatingObserver.class);

    private static final Hold NO_HOLD = new Hold() {
        @Override
        public void released() {}

        @Override
        public void lost() {}
    };

    private static final Attempt NO_ATTEMPT = new Attempt() {
        @Override
        public Hold acquired(Lease lease) {
            return NO_HOLD;
        }

        @Override
        public void notAcquired(LockOutcome.NotAcquired outcome) {}

        @Override
        public void failed(Throwable error) {}
    };

    static LockObserver of(LockObserver observer) {
        return new IsolatingObserver(observer);
    }

    @Override
    public boolean isActive() {
        return isolated(observer::isActive, false);
    }

    @Override
    public Attempt attempt(LockRequest request) {
        Attempt attempt = isolated(() -> observer.attempt(request), NO_ATTEMPT);
        return new Attempt() {
            @Override
            public Hold acquired(Lease lease) {
                return new IsolatedHold(isolated(() -> attempt.acquired(lease), NO_HOLD));
            }

            @Override
            public void notAcquired(LockOutcome.NotAcquired outcome) {
                isolated(() -> attempt.notAcquired(outcome));
            }

            @Override
            public void postponed() {
                isolated(attempt::postponed);
            }

            @Override
            public void failed(Throwable error) {
                isolated(() -> attempt.failed(error));
            }
        };
    }

    @Override
    public void forced(String lockName, boolean wasHeld) {
        isolated(() -> observer.forced(lockName, wasHeld));
    }

    private record IsolatedHold(Hold hold) implements Hold {

        @Override
        public void released() {
            isolated(hold::released);
        }

        @Override
        public void lost() {
            isolated(hold::lost);
        }
    }

    private static void isolated(Runnable step) {
        isolated(
                () -> {
                    step.run();
                    return true;
                },
                false);
    }

    private static <T> T isolated(Supplier<T> step, T otherwise) {
        try {
            return step.get();
        } catch (RuntimeException e) {
            log.warn("An observer of locks failed", e);
            return otherwise;
        }
    }
}
