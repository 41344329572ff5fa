package io.distributionlock.engine;

import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import io.distributionlock.ReleaseResult;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One thread of a simulated process: waits for one lock at a time, and may hold it several times. */
final class SimulatedThread {

    final SimulatedProcess process;
    final String label;
    final LockOwner owner = LockOwner.unique();

    @Nullable
    CompletableFuture<LockOutcome> attempt;

    @Nullable
    LockRequest request;

    long askedAt;
    final List<HeldLease> leases = new ArrayList<>();

    SimulatedThread(SimulatedProcess process, String label) {
        this.process = process;
        this.label = label;
    }

    boolean isWaiting() {
        return attempt != null;
    }

    boolean isWaitingFor(String name) {
        return attempt != null && request != null && request.name().equals(name);
    }

    boolean isIdle() {
        return attempt == null && leases.isEmpty();
    }

    @Override
    public String toString() {
        return process.instance + "/" + label;
    }

    /** A lease that a simulated thread has not released yet, or whose release is not answered yet. */
    static final class HeldLease {

        final SimulatedThread thread;
        final EngineLease lease;
        boolean toldLost;

        @Nullable
        CompletableFuture<ReleaseResult> release;

        HeldLease(SimulatedThread thread, EngineLease lease) {
            this.thread = thread;
            this.lease = lease;
        }

        boolean isReleased() {
            return release != null;
        }
    }
}
