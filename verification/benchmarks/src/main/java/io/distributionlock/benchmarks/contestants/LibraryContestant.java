package io.distributionlock.benchmarks.contestants;

import io.distributionlock.Lease;
import io.distributionlock.LockKind;
import io.distributionlock.LockRequest;
import io.distributionlock.LockTemplate;
import io.distributionlock.MultiLock;
import io.distributionlock.ReleaseResult;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** This library, with the executor on Redis and the renewed lease that an application gets by default. */
public final class LibraryContestant extends ContestantOnSpring {

    /** What is asked for. */
    public enum Mode {
        /** As an application gets it by default. */
        PLAIN,
        /** In the order of arrival. */
        FAIR,
        /** With a fencing token. */
        FENCED,
        /** Asks for the fencing token in each section. */
        TOKEN,
        /** Goes on when the release was sent. */
        UNAWAITED,
        /** One of {@link Contestants#PERMITS}. */
        PERMITS
    }

    private final LockTemplate locks;
    private final Mode mode;

    public LibraryContestant(Terms terms, Mode mode) {
        super(SpringRedis.withLibrary(terms));
        this.locks = redis.bean(LockTemplate.class);
        this.mode = mode;
    }

    @Override
    public @Nullable Held acquire(String name) {
        Optional<Lease> acquired = locks.tryAcquire(request(name));
        if (acquired.isEmpty()) {
            return null;
        }
        Lease lease = acquired.get();
        if (mode == Mode.TOKEN) {
            lease.fencingToken();
        }
        return mode == Mode.UNAWAITED ? releasedUnawaited(lease) : new LeaseHeld(lease);
    }

    private LockRequest request(String name) {
        LockRequest.Builder request = locks.request(name);
        return switch (mode) {
            case FAIR -> request.kind(LockKind.FAIR).build();
            case FENCED -> request.fenced().build();
            case PERMITS -> request.permits(Contestants.PERMITS).build();
            default -> request.build();
        };
    }

    /** The one place that says how a release is not waited for. */
    private static Held releasedUnawaited(Lease lease) {
        return () -> {
            lease.releaseAsync();
            return true;
        };
    }

    @Override
    public Held acquireTogether(List<String> names) {
        MultiLock together =
                MultiLock.of(locks, names.stream().map(this::request).toList());
        MultiLock.Outcome.Acquired acquired = together.acquire();
        return () -> {
            acquired.release();
            return true;
        };
    }

    private record LeaseHeld(Lease lease) implements Held {

        @Override
        public boolean isHeld() {
            return lease.isValid();
        }

        @Override
        public long leaseLeft() {
            return lease.remaining().toMillis();
        }

        @Override
        public boolean knowsItsLease() {
            return true;
        }

        @Override
        public long token() {
            return lease.knownFencingToken().orElse(0);
        }

        @Override
        public boolean release() {
            ReleaseResult result = lease.release();
            if (result == ReleaseResult.UNCONFIRMED) {
                throw new IllegalStateException(result.name());
            }
            return result != ReleaseResult.LOST;
        }
    }
}
