package io.distributionlock.engine;

import io.distributionlock.Lease;
import io.distributionlock.LockKind;
import io.distributionlock.LockRequest;
import io.distributionlock.ReleaseResult;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** A {@link Hold} as its holder sees it. */
final class EngineLease implements Lease {

    private final LockEngine engine;
    private final String name;
    private final Hold hold;

    EngineLease(LockEngine engine, String name, Hold hold) {
        this.engine = engine;
        this.name = name;
        this.hold = hold;
    }

    Hold hold() {
        return hold;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public LockKind kind() {
        return hold.kind;
    }

    @Override
    public Object backend() {
        return engine;
    }

    @Override
    public long fencingToken() {
        return hold.token;
    }

    @Override
    public boolean isValid() {
        return !hold.released && hold.tenure.isValid(engine.now());
    }

    @Override
    public Duration remaining() {
        return hold.released ? Duration.ZERO : Duration.ofNanos(hold.tenure.remainingNanos(engine.now()));
    }

    @Override
    public boolean confirm() {
        return engine.confirm(name, hold).join();
    }

    @Override
    public boolean extend(Duration holdLockTime) {
        LockRequest.named(name).holdLockTime(holdLockTime).build();
        return extendWithoutWaiting(holdLockTime).join();
    }

    CompletableFuture<Boolean> extendWithoutWaiting(Duration holdLockTime) {
        return engine.extend(name, hold, holdLockTime);
    }

    @Override
    public void detach() {
        engine.detach(name, hold);
    }

    @Override
    public void onLost(Consumer<? super Lease> listener) {
        engine.whenLost(name, hold, () -> listener.accept(this));
    }

    @Override
    public ReleaseResult release() {
        return releaseWithoutWaiting().join();
    }

    CompletableFuture<ReleaseResult> releaseWithoutWaiting() {
        return engine.release(name, hold);
    }

    @Override
    public String toString() {
        return "Lease[" + name + ", fencing token " + hold.token + ", "
                + remaining().toMillis() + " ms left]";
    }
}
