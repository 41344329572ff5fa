package io.distributionlock.state;

import io.distributionlock.internal.Internal;
import io.distributionlock.monitor.LockSnapshot;
import io.distributionlock.monitor.LockSnapshot.HeldLease;
import io.distributionlock.monitor.LockSnapshot.WaitingAttempt;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Collects an {@link LockSnapshot}.
 *
 * @hidden
 */
@Internal
public final class SnapshotBuilder {

    private final List<HeldLease> held = new ArrayList<>();
    private final List<WaitingAttempt> waiting = new ArrayList<>();

    void held(String name, Hold hold, long now) {
        held.add(new HeldLease(
                name,
                hold.label,
                hold.kind,
                hold.ownership.owner().describe(),
                Times.between(hold.since, now),
                Duration.ofNanos(hold.ownership.remainingNanos(now)),
                hold.isRenewed(),
                hold.token(),
                hold.ownership.claim().text()));
    }

    void waiting(String name, Waiter waiter, long now) {
        waiting.add(new WaitingAttempt(
                name, waiter.request.label(), waiter.request.kind(), waiter.owner.describe(), waiter.waited(now)));
    }

    public LockSnapshot build(String instance) {
        return new LockSnapshot(instance, held, waiting);
    }
}
