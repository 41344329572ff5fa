package io.distributionlock.redis;

import io.distributionlock.Await;
import io.distributionlock.engine.AcquireReply;
import io.distributionlock.engine.CommandPort.Bidding;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The answers to several claims of one name that wait. What is asked first costs Redis little: whether they still stand in the queue.
 * Those that do not are inside, or have lost their places, and ask for the lock again.
 */
final class Heartbeat extends CompletableFuture<List<AcquireReply>> {

    /** As many as a script handles in a run; see handover.lua. */
    private static final int MOST_OF_A_COMMAND = 100;

    private final List<Bidding> biddings;
    private final Function<List<Bidding>, CompletableFuture<List<AcquireReply>>> asking;
    private volatile List<? extends CompletableFuture<?>> underWay;

    private Heartbeat(
            List<Bidding> biddings,
            CompletableFuture<BeatReply> beat,
            Function<List<Bidding>, CompletableFuture<List<AcquireReply>>> asking) {
        this.biddings = biddings;
        this.asking = asking;
        this.underWay = List.of(beat);
    }

    /**
     * @param beat what was sent
     * @param asking asks for the lock for some of the claims; never blocks
     */
    static Heartbeat of(
            List<Bidding> biddings,
            CompletableFuture<BeatReply> beat,
            Function<List<Bidding>, CompletableFuture<List<AcquireReply>>> asking) {
        Heartbeat heartbeat = new Heartbeat(biddings, beat, asking);
        beat.whenComplete(heartbeat::answered);
        return heartbeat;
    }

    private void answered(@Nullable BeatReply reply, @Nullable Throwable failure) {
        if (reply == null) {
            completeExceptionally(failure == null ? new IllegalStateException("no answer") : failure);
        } else if (reply.absent().isEmpty()) {
            complete(Collections.nCopies(biddings.size(), reply.busy()));
        } else if (!isDone()) {
            ask(reply);
        }
    }

    private void ask(BeatReply reply) {
        List<Integer> absent = reply.absent();
        List<CompletableFuture<List<AcquireReply>>> asked = new ArrayList<>();
        for (int start = 0; start < absent.size(); start += MOST_OF_A_COMMAND) {
            int end = Math.min(absent.size(), start + MOST_OF_A_COMMAND);
            asked.add(asking.apply(
                    absent.subList(start, end).stream().map(biddings::get).toList()));
        }
        underWay = asked;
        if (isCancelled()) {
            cancelWhatIsUnderWay();
        }
        CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new)).whenComplete((done, failure) -> {
            if (failure != null) {
                completeExceptionally(failure.getCause() == null ? failure : failure.getCause());
                return;
            }
            AcquireReply[] replies = new AcquireReply[biddings.size()];
            Arrays.fill(replies, reply.busy());
            int next = 0;
            for (CompletableFuture<List<AcquireReply>> some : asked) {
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
            cancelWhatIsUnderWay();
        }
        return cancelled;
    }

    private void cancelWhatIsUnderWay() {
        underWay.forEach(sent -> sent.cancel(false));
    }
}
