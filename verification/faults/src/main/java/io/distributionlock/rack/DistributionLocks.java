package io.distributionlock.rack;

import io.distributionlock.Lease;
import io.distributionlock.LockKind;
import io.distributionlock.LockRequest;
import io.distributionlock.LockTemplate;
import io.distributionlock.ReleaseResult;
import org.jspecify.annotations.Nullable;

/** This library, auto-configured; asks {@link Lease#isValid()} before each step. */
final class DistributionLocks implements Contestant {

    private final SpringApplicationOn application;
    private final LockTemplate locks;
    private final Library library;

    DistributionLocks(Address redis, Library library) {
        this.application = new SpringApplicationOn(redis, true);
        this.locks = application.bean(LockTemplate.class);
        this.library = library;
    }

    @Override
    public @Nullable Hold acquire(String name) {
        LockRequest.Builder request = locks.request(name);
        switch (library) {
            case DISTRIBUTION_LOCK_FAIR -> request.kind(LockKind.FAIR);
            case DISTRIBUTION_LOCK_TOKEN -> request.fenced();
            default -> {}
        }
        return locks.tryAcquire(request.build()).map(LeaseHold::new).orElse(null);
    }

    @Override
    public void close() {
        application.close();
    }

    private static final class LeaseHold implements Hold {

        private final Lease lease;

        LeaseHold(Lease lease) {
            this.lease = lease;
        }

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
            return result == ReleaseResult.RELEASED;
        }
    }
}
