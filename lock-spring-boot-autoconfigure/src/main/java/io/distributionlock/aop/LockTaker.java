package io.distributionlock.aop;

import io.distributionlock.LockDefaults;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import io.distributionlock.LockTemplate;
import io.distributionlock.MultiLock;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Takes all locks of a call or none, and says which annotation asked for the one that was not got. */
final class LockTaker {

    private LockTaker() {}

    /** Takes the locks for the owner; the calling thread waits. */
    static Taking take(List<PlannedLock> locks, LockTemplate template, LockOwner owner) {
        if (locks.isEmpty()) {
            return new Taking.Taken(List.of());
        }
        if (locks.size() == 1) {
            PlannedLock lock = locks.get(0);
            LockOutcome outcome = template.attemptForWork(lock.request(), owner);
            return outcome instanceof LockOutcome.Acquired acquired
                    ? new Taking.Taken(List.of(acquired.lease()))
                    : new Taking.Refused(lock, (LockOutcome.NotAcquired) outcome);
        }
        return taking(multiLock(locks, template).attempt(owner), locks);
    }

    /**
     * Takes the locks without blocking. Cancelling the future gives up what is held and what is waited for; if that comes too
     * late, it says {@code false}.
     */
    static CompletableFuture<MultiLock.Outcome> takeAsync(
            List<PlannedLock> locks, LockTemplate template, AsyncEntry entry) {
        if (locks.isEmpty()) {
            return CompletableFuture.completedFuture(new MultiLock.Outcome.Acquired(List.of()));
        }
        LockTemplate byOwner = entry.entersAgain()
                ? new LockTemplate(new OwnerByName(template, entry::ownerOf), LockDefaults.STANDARD)
                : template;
        return multiLock(locks, byOwner).attemptAsync(entry.owner());
    }

    private static MultiLock multiLock(List<PlannedLock> locks, LockTemplate template) {
        List<LockRequest> requests = locks.stream().map(PlannedLock::request).toList();
        return MultiLock.forWork(template, requests);
    }

    static Taking taking(MultiLock.Outcome outcome, List<PlannedLock> locks) {
        if (outcome instanceof MultiLock.Outcome.Acquired acquired) {
            return new Taking.Taken(acquired.leases());
        }
        MultiLock.Outcome.NotAcquired refused = (MultiLock.Outcome.NotAcquired) outcome;
        PlannedLock lock = locks.stream()
                .filter(each -> each.name().equals(refused.lockName()))
                .findFirst()
                .orElseThrow();
        return new Taking.Refused(lock, refused.outcome());
    }
}
