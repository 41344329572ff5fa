package io.distributionlock.engine;

import io.distributionlock.engine.EngineSnapshot.HeldLease;
import io.distributionlock.engine.EngineSnapshot.WaitingAttempt;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Collects an {@link EngineSnapshot}. */
final class SnapshotBuilder {

    private final List<HeldLease> held = new ArrayList<>();
    private final List<WaitingAttempt> waiting = new ArrayList<>();

    void held(String name, Hold hold, long now) {
        held.add(new HeldLease(
                name,
                hold.label,
                hold.kind,
                hold.owner.describe(),
                Times.between(hold.since, now),
                Duration.ofNanos(hold.ownership.remainingNanos(now)),
                hold.renewed,
                hold.token,
                hold.ownership.claim()));
    }

    void waiting(String name, Waiter waiter, long now) {
        waiting.add(new WaitingAttempt(
                name,
                waiter.request.label(),
                waiter.request.kind(),
                waiter.owner.describe(),
                waiter.waited(now)));
    }

    EngineSnapshot build(String instance) {
        return new EngineSnapshot(instance, held, waiting);
    }
}
