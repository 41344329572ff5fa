package io.distributionlock.redis;

import io.distributionlock.backend.AcquireReply;
import io.distributionlock.backend.CommandPort.Bidding;
import io.distributionlock.internal.Await;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The answers to the heartbeat of several waiting claims of one lock. A cheap script first checks which claims are still queued. The
 * others were granted the lock or have lost their places, so they send a full acquire.
 */
final class Heartbeat extends CompletableFuture<List<AcquireReply>> {

    /**
     * The answer of beat.lua.
     *
     * @param busy the answer to each claim that is still queued
     * @param absent the indexes of the other claims, which hold the lock or have lost their places
     */
    record Reply(AcquireReply.Busy busy, List<Integer> absent) {}

    private final List<Bidding> biddings;
    private final Function<List<Bidding>, CompletableFuture<List<AcquireReply>>> acquiring;
    private volatile List<? extends CompletableFuture<?>> inFlight;

    private Heartbeat(
            List<Bidding> biddings,
            CompletableFuture<Reply> beat,
            Function<List<Bidding>, CompletableFuture<List<AcquireReply>>> acquiring) {
        this.biddings = biddings;
        this.acquiring = acquiring;
        this.inFlight = List.of(beat);
    }

    /**
     * @param beat the heartbeat that was sent for these claims
     * @param acquiring sends an acquire for some of the claims; never blocks
     */
    static Heartbeat of(
            List<Bidding> biddings,
            CompletableFuture<Reply> beat,
            Function<List<Bidding>, CompletableFuture<List<AcquireReply>>> acquiring) {
        Heartbeat heartbeat = new Heartbeat(biddings, beat, acquiring);
        beat.whenComplete(heartbeat::answered);
        return heartbeat;
    }

    private void answered(@Nullable Reply reply, @Nullable Throwable failure) {
        if (reply == null) {
            completeExceptionally(failure == null ? new IllegalStateException("no answer") : failure);
        } else if (reply.absent().isEmpty()) {
            complete(Collections.nCopies(biddings.size(), reply.busy()));
        } else if (!isDone()) {
            acquire(reply);
        }
    }

    private void acquire(Reply reply) {
        List<Integer> absent = reply.absent();
        List<CompletableFuture<List<AcquireReply>>> acquires = new ArrayList<>();
        for (int start = 0; start < absent.size(); start += LockScript.CLAIMS_OF_A_RUN) {
            int end = Math.min(absent.size(), start + LockScript.CLAIMS_OF_A_RUN);
            acquires.add(acquiring.apply(
                    absent.subList(start, end).stream().map(biddings::get).toList()));
        }
        inFlight = acquires;
        if (isCancelled()) {
            cancelInFlight();
        }
        CompletableFuture.allOf(acquires.toArray(CompletableFuture[]::new)).whenComplete((done, failure) -> {
            if (failure != null) {
                completeExceptionally(failure.getCause() == null ? failure : failure.getCause());
                return;
            }
            AcquireReply[] replies = new AcquireReply[biddings.size()];
            Arrays.fill(replies, reply.busy());
            int next = 0;
            for (CompletableFuture<List<AcquireReply>> some : acquires) {
                for (AcquireReply one : Await.uninterruptibly(some)) {
                    replies[absent.get(next++)] = one;
                }
            }
            complete(List.of(replies));
        });
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        boolean cancelled = super.cancel(mayInterruptIfRunning);
        if (cancelled) {
            cancelInFlight();
        }
        return cancelled;
    }

    private void cancelInFlight() {
        inFlight.forEach(sent -> sent.cancel(false));
    }
}
