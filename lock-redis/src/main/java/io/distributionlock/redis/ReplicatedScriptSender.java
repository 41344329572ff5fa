package io.distributionlock.redis;

import io.distributionlock.backend.NotReplicatedException;
import io.distributionlock.backend.TryAgainException;
import io.distributionlock.internal.Failures;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Sends scripts whose writes count only once enough replicas have them.
 *
 * <p>Redis answers WAIT for the writes of its own connection, and blocks that connection meanwhile. Hence a dedicated connection with at
 * most one WAIT in flight: scripts that are sent meanwhile run after it, and the next WAIT covers all of them. A thousand locks cost
 * hardly more WAITs than one, and without replicas an answer takes two or three timeouts, however many callers there are.
 *
 * <p>A WAIT over a new connection does not cover the writes of the earlier one, and would succeed at once. So a write whose connection
 * did not last until its WAIT was answered has to be repeated: a claim may ask again.
 */
final class ReplicatedScriptSender implements AutoCloseable {

    /** Sends scripts and WAIT over one connection at a time. */
    interface Link extends ScriptSender {

        /** Answers how many replicas have what was written over the present connection. */
        CompletableFuture<Long> awaitReplicas(int wanted, Duration timeout);

        /** If unchanged between two calls, what was sent in between went over one connection. */
        long epoch();
    }

    private final Link sender;
    private final ReplicaAcks wanted;

    /** The answer to a WAIT that is not sent yet. */
    private final AtomicReference<@Nullable CompletableFuture<Long>> next = new AtomicReference<>();

    /** The answer to the WAIT that was asked for last. */
    private volatile CompletableFuture<Long> latest = CompletableFuture.completedFuture(0L);

    ReplicatedScriptSender(Link sender, ReplicaAcks wanted) {
        this.sender = sender;
        this.wanted = wanted;
    }

    void connect() {
        sender.connect();
    }

    /**
     * @param needsReplicas for which answers replicas must have the writes
     * @return fails with a {@link NotReplicatedException} if too few replicas have them in time, or Redis refuses WAIT
     */
    <T> CompletableFuture<T> send(LockCall<T> call, Predicate<T> needsReplicas) {
        long epoch = sender.epoch();
        return FollowedCall.of(sender.send(call), reply -> {
            if (!needsReplicas.test(reply)) {
                return CompletableFuture.completedFuture(reply);
            }
            return acknowledgement().thenApply(count -> {
                if (epoch != sender.epoch()) {
                    throw new TryAgainException(
                            "The connection to Redis was lost before replicas acknowledged the lock.", true);
                }
                if (count < wanted.replicas()) {
                    throw new NotReplicatedException(count + " of " + wanted.replicas()
                            + " replicas acknowledged it within "
                            + wanted.timeout().toMillis() + " ms");
                }
                return reply;
            });
        });
    }

    /** The answer to a WAIT that is sent after this call, once the one in flight is answered. */
    private CompletableFuture<Long> acknowledgement() {
        CompletableFuture<Long> answer = new CompletableFuture<>();
        CompletableFuture<Long> joined = next.compareAndExchange(null, answer);
        if (joined != null) {
            return joined;
        }
        CompletableFuture<Long> earlier = latest;
        latest = answer;
        earlier.whenComplete((unused, over) -> {
            // First: a write that is answered from now on may be later than this WAIT, so it joins the next.
            next.set(null);
            ask(answer);
        });
        return answer;
    }

    private void ask(CompletableFuture<Long> answer) {
        sender.awaitReplicas(wanted.replicas(), wanted.timeout()).whenComplete((count, failure) -> {
            if (failure == null) {
                answer.complete(count);
            } else {
                answer.completeExceptionally(RedisErrorExplanations.isReply(failure) ? refused(failure) : failure);
            }
        });
    }

    /** The write has run, but no replica is known to have it. */
    private static NotReplicatedException refused(Throwable failure) {
        Throwable error = Failures.unwrapped(failure);
        return new NotReplicatedException("Redis refuses WAIT: " + error.getMessage(), error);
    }

    /** As {@link ScriptSender#diagnosis()}. */
    ScriptSender.@Nullable Diagnosis diagnosis() {
        return sender.diagnosis();
    }

    @Override
    public void close() {
        sender.close();
    }
}
