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

/**
 * The answers to the heartbeat of several waiting claims of one lock. A cheap script first checks which claims are still queued. The
 * others were granted the lock or have lost their places, so they send a full acquire.
 */
final class Heartbeat {

    /**
     * The answer of the verb beat.
     *
     * @param busy the answer to each claim that is still queued
     * @param absent the indexes of the other claims, which hold the lock or have lost their places
     */
    record Reply(AcquireReply.Busy busy, List<Integer> absent) {}

    private Heartbeat() {}

    /**
     * @param beat the heartbeat that was sent for these claims
     * @param acquiring sends an acquire for some of the claims; never blocks
     */
    static CompletableFuture<List<AcquireReply>> of(
            List<Bidding> biddings,
            CompletableFuture<Reply> beat,
            Function<List<Bidding>, CompletableFuture<List<AcquireReply>>> acquiring) {
        return FollowedCall.of(
                beat,
                reply -> reply.absent().isEmpty() ? CompletableFuture.completedFuture(Collections.nCopies(biddings.size(), reply.busy())) : acquire(biddings, reply, acquiring));
    }

    private static CompletableFuture<List<AcquireReply>> acquire(
            List<Bidding> biddings,
            Reply reply,
            Function<List<Bidding>, CompletableFuture<List<AcquireReply>>> acquiring) {
        List<Integer> absent = reply.absent();
        List<CompletableFuture<List<AcquireReply>>> acquires = new ArrayList<>();
        for (int start = 0; start < absent.size(); start += LockScript.CLAIMS_OF_A_RUN) {
            int end = Math.min(absent.size(), start + LockScript.CLAIMS_OF_A_RUN);
            acquires.add(acquiring.apply(
                    absent.subList(start, end).stream().map(biddings::get).toList()));
        }
        CompletableFuture<List<AcquireReply>> all = CompletableFuture.allOf(acquires.toArray(CompletableFuture[]::new))
                .thenApply(done -> {
                    AcquireReply[] replies = new AcquireReply[biddings.size()];
                    Arrays.fill(replies, reply.busy());
                    int next = 0;
                    for (CompletableFuture<List<AcquireReply>> some : acquires) {
                        for (AcquireReply one : Await.uninterruptibly(some)) {
                            replies[absent.get(next++)] = one;
                        }
                    }
                    return List.of(replies);
                });
        all.whenComplete((replies, failure) -> {
            if (all.isCancelled()) {
                acquires.forEach(sent -> sent.cancel(false));
            }
        });
        return all;
    }
}
