package io.distributionlock.observe;

import io.distributionlock.Lease;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockRequest;
import java.util.function.Supplier;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/** Keeps what an observer throws from those whose lock it watches. */
record CarefulObserver(LockObserver observer) implements LockObserver {

    private static final Log log = LogFactory.getLog(CarefulObserver.class);

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
        public void failed(Throwable mistake) {}
    };

    static LockObserver of(LockObserver observer) {
        return new CarefulObserver(observer);
    }

    @Override
    public boolean isActive() {
        return careful(observer::isActive, false);
    }

    @Override
    public Attempt attempt(LockRequest request) {
        Attempt attempt = careful(() -> observer.attempt(request), NO_ATTEMPT);
        return new Attempt() {
            @Override
            public Hold acquired(Lease lease) {
                return new CarefulHold(careful(() -> attempt.acquired(lease), NO_HOLD));
            }

            @Override
            public void notAcquired(LockOutcome.NotAcquired outcome) {
                careful(() -> attempt.notAcquired(outcome));
            }

            @Override
            public void failed(Throwable mistake) {
                careful(() -> attempt.failed(mistake));
            }
        };
    }

    @Override
    public void forced(String lockName, boolean wasHeld) {
        careful(() -> observer.forced(lockName, wasHeld));
    }

    private record CarefulHold(Hold hold) implements Hold {

        @Override
        public void released() {
            careful(hold::released);
        }

        @Override
        public void lost() {
            careful(hold::lost);
        }
    }

    private static void careful(Runnable step) {
        careful(
                () -> {
                    step.run();
                    return true;
                },
                false);
    }

    private static <T> T careful(Supplier<T> step, T otherwise) {
        try {
            return step.get();
        } catch (RuntimeException e) {
            log.warn("An observer of locks failed", e);
            return otherwise;
        }
    }
}
