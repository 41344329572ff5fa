package io.distributionlock.consumer;

import io.distributionlock.LockNotAcquiredException;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.DistributionLockParam;
import io.distributionlock.annotation.FencingToken;
import io.distributionlock.annotation.ScheduledLock;
import java.util.Optional;
import java.util.function.Supplier;
import org.springframework.stereotype.Service;

/** Locks in each of the ways that need reflection. */
@Service
public class OrderService {

    @DistributionLock(key = "updateOrderStatus", tryLockTime = 0)
    public String update(@DistributionLockParam String orderCode, Supplier<String> work) {
        return work.get();
    }

    @DistributionLock(key = "change", tryLockTime = 0, fallbackMethod = "changeLater")
    public String change(@DistributionLockParam StatusChange change, Supplier<String> work) {
        return work.get();
    }

    String changeLater(StatusChange change, Supplier<String> work, LockNotAcquiredException busy) {
        return "later: " + busy.lockName();
    }

    @DistributionLock(key = "answer", tryLockTime = 0)
    public Answer answer(Supplier<String> work) {
        return new Answer(work.get());
    }

    @ScheduledLock(name = "nightly")
    public Optional<String> nightly(Supplier<String> work) {
        return Optional.of(work.get());
    }

    @DistributionLock(key = "expression:#{#change.status}")
    public boolean fenced(StatusChange change, @FencingToken long token) {
        return token > 0;
    }
}
