package io.distributionlock.benchmarks.simulation;

import io.distributionlock.Lease;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import io.distributionlock.backend.EngineSettings;
import io.distributionlock.engine.LockEngine;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** This library: its own engine, with its usual times. */
final class EngineClient implements LockClient {

    private static final long NOT_PLANNED = Long.MAX_VALUE;

    private final World world;
    private final Host host;
    private final EnginePort port;
    private final LockEngine engine;
    private final List<LockOwner> owners = new ArrayList<>();
    private final Map<Integer, Lease> leases = new HashMap<>();
    private long plannedTick = NOT_PLANNED;

    EngineClient(World world, EngineServers servers, Host host, String instance, int threads) {
        if (world.events.now() != 0) {
            throw new IllegalStateException("An engine counts time from its creation: create it before time passes.");
        }
        this.world = world;
        this.host = host;
        this.port = new EnginePort(world, servers, host, instance, this::planTick);
        this.engine = new LockEngine(port, EngineSettings.standard(instance), world.events::now, Runnable::run);
        for (int i = 0; i < threads; i++) {
            owners.add(LockOwner.unique());
        }
    }

    @Override
    public void lock(String name, int thread, Runnable entered) {
        LockRequest request =
                LockRequest.named(name).tryLockTime(LockRequest.FOREVER).build();
        engine.acquire(request, owners.get(thread)).thenAccept(outcome -> {
            if (!(outcome instanceof LockOutcome.Acquired acquired)) {
                throw new IllegalStateException(
                        "An acquire without a time limit must succeed, but ended as " + outcome);
            }
            leases.put(thread, acquired.lease());
            host.work(Costs.nanos(world.costs.wake()), entered);
        });
        planTick();
    }

    @Override
    public void unlock(String name, int thread, Runnable left) {
        Lease lease = leases.remove(thread);
        if (lease == null) {
            throw new IllegalStateException("Thread " + thread + " does not hold '" + name + "'");
        }
        lease.release();
        var answers = port.answersToReleases();
        if (answers.isDone()) {
            left.run();
        } else {
            answers.thenRun(() -> host.work(Costs.nanos(world.costs.wake()), left));
        }
        planTick();
    }

    /** Every event may change when the engine is due. */
    private void planTick() {
        long due = engine.due();
        if (due < plannedTick) {
            plannedTick = due;
            world.events.at(due, () -> tickIfStillPlanned(due));
        }
    }

    private void tickIfStillPlanned(long planned) {
        if (planned != plannedTick) {
            return;
        }
        plannedTick = NOT_PLANNED;
        engine.tick();
        planTick();
    }
}
