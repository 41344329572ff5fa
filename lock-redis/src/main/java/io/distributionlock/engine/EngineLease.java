package io.distributionlock.engine;

import io.distributionlock.Lease;
import io.distributionlock.Lease.LossReason;
import io.distributionlock.LockKind;
import io.distributionlock.ReleaseResult;
import io.distributionlock.internal.Await;
import io.distributionlock.internal.ImmediateListener;
import io.distributionlock.internal.LockTimes;
import io.distributionlock.internal.MessageText;
import io.distributionlock.internal.OffloadedFuture;
import io.distributionlock.state.Event;
import io.distributionlock.state.Hold;
import io.distributionlock.state.LossListener;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;

/** The {@link Lease} of a {@link Hold}. */
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
    public long fencingToken() {
        long token = hold.token();
        if (token != 0) {
            return token;
        }
        requireMayWait("fencingTokenAsync()");
        return await(tokenWithoutWaiting());
    }

    @Override
    public CompletableFuture<Long> fencingTokenAsync() {
        long token = hold.token();
        return token == 0 ? OffloadedFuture.of(tokenWithoutWaiting()) : CompletableFuture.completedFuture(token);
    }

    CompletableFuture<Long> tokenWithoutWaiting() {
        return engine.number(name, hold);
    }

    @Override
    public OptionalLong knownFencingToken() {
        long token = hold.token();
        return token == 0 ? OptionalLong.empty() : OptionalLong.of(token);
    }

    @Override
    public boolean isValid() {
        return engine.isHeld(hold);
    }

    @Override
    public Duration remaining() {
        return hold.released ? Duration.ZERO : Duration.ofNanos(hold.ownership.remainingNanos(engine.now()));
    }

    @Override
    public boolean confirm() {
        requireMayWait("confirmAsync()");
        return await(confirmWithoutWaiting());
    }

    @Override
    public CompletableFuture<Boolean> confirmAsync() {
        return OffloadedFuture.of(confirmWithoutWaiting());
    }

    CompletableFuture<Boolean> confirmWithoutWaiting() {
        return engine.whetherHeld(name, answer -> new Event.Confirm(hold, answer));
    }

    @Override
    public boolean extend(Duration holdLockTime) {
        requireMayWait("extendAsync(…)");
        return await(extendAsync(holdLockTime));
    }

    @Override
    public CompletableFuture<Boolean> extendAsync(Duration holdLockTime) {
        LockTimes.requireHold("Lock '" + MessageText.of(name) + "': holdLockTime", holdLockTime);
        return OffloadedFuture.of(extendWithoutWaiting(holdLockTime));
    }

    CompletableFuture<Boolean> extendWithoutWaiting(Duration holdLockTime) {
        return engine.whetherHeld(name, answer -> new Event.Extend(hold, holdLockTime.toNanos(), answer));
    }

    private void requireMayWait(String instead) {
        Await.requireAllowed("An answer about lock '" + MessageText.of(name) + "'", "Lease." + instead);
    }

    private static <T> T await(CompletableFuture<T> answer) {
        try {
            return Await.uninterruptibly(answer);
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }

    @Override
    public void waiveMinHoldTime() {
        engine.on(name, new Event.WaiveMinHoldTime(hold));
    }

    @Override
    public void onLost(Consumer<? super Lease> listener) {
        if (listener == null) {
            throw new IllegalArgumentException("The listener for the loss of lock '" + MessageText.of(name)
                    + "' is null. Pass what is to be told.");
        }
        engine.on(name, new Event.ListenForLoss(hold, new Loss(this, listener)));
    }

    @Override
    public LossReason lossReason() {
        if (!hold.released && !isValid()) {
            // The clock may show the loss before any event has.
            engine.on(name, new Event.Examine(hold));
        }
        return hold.ownership.lossReason();
    }

    @Override
    public ReleaseResult release() {
        CompletableFuture<ReleaseResult> answer = releaseWithoutWaiting();
        // The release is repeated until it is answered, so a thread that must not wait can continue.
        return answer.isDone() || !Await.isForbidden() ? Await.uninterruptibly(answer) : ReleaseResult.UNCONFIRMED;
    }

    @Override
    public CompletableFuture<ReleaseResult> releaseAsync() {
        return OffloadedFuture.of(releaseWithoutWaiting());
    }

    CompletableFuture<ReleaseResult> releaseWithoutWaiting() {
        return engine.release(name, hold);
    }

    /** Reports the loss of a lease to one listener. */
    private static final class Loss extends LossListener {

        private final EngineLease lease;
        private final Consumer<? super Lease> listener;

        Loss(EngineLease lease, Consumer<? super Lease> listener) {
            this.lease = lease;
            this.listener = listener;
        }

        @Override
        public void lost() {
            if (listener instanceof ImmediateListener) {
                LockEngine.callBackAtOnce(() -> listener.accept(lease));
            } else {
                lease.engine.callBack(() -> listener.accept(lease));
            }
        }
    }

    @Override
    public String toString() {
        return "Lease[" + MessageText.of(name) + (hold.token() == 0 ? "" : ", fencing token " + hold.token()) + ", "
                + remaining().toMillis() + " ms left]";
    }
}
