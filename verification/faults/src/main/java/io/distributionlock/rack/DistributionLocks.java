package io.distributionlock.rack;

import io.distributionlock.Lease;
import io.distributionlock.LockRequest;
import io.distributionlock.LockTemplate;
import io.distributionlock.ReleaseResult;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** This library, auto-configured; asks {@link Lease#isValid()} before each step. */
final class DistributionLocks implements Contestant {

    private final SpringApplicationOn application;
    private final LockTemplate locks;
    private final UnaryOperator<LockRequest.Builder> kind;
    private final boolean fenced;

    DistributionLocks(Address redis, UnaryOperator<LockRequest.Builder> kind, boolean fenced) {
        this.application = new SpringApplicationOn(redis, true);
        this.locks = application.bean(LockTemplate.class);
        this.kind = kind;
        this.fenced = fenced;
    }

    @Override
    public @Nullable Hold acquire(String name) {
        return locks.tryAcquire(kind.apply(locks.request(name)).build())
                .map(LeaseHold::new)
                .orElse(null);
    }

    @Override
    public void close() {
        application.close();
    }

    private final class LeaseHold implements Hold {

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
            return fenced ? lease.fencingToken() : 0;
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
