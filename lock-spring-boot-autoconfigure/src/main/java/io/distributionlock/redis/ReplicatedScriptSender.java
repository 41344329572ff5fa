package io.distributionlock.redis;

import io.distributionlock.backend.NotReplicatedException;
import io.distributionlock.internal.Failures;
import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Sends scripts whose writes count only once enough replicas have them.
 *
 * <p>Redis answers WAIT for the writes of its own connection, and blocks that connection meanwhile. Hence a dedicated connection with at
 * most one WAIT in flight: scripts that are sent meanwhile run after it, and the next WAIT covers all of them. A thousand locks cost
 * hardly more WAITs than one, and without replicas an answer takes two or three timeouts, however many callers there are.
 *
 * <p>A WAIT over a new connection does not cover the writes of the earlier one, and would succeed at once. So a write counts only if
 * there was no other connection from its sending until its WAIT was answered. If there was one before its own answer, it is sent once
 * more: a claim may ask again.
 */
final class ReplicatedScriptSender implements AutoCloseable {

    /** Sends scripts and WAIT over one connection at a time. */
    interface Link extends ScriptSender {

        /** Answers how many replicas have what was written over the present connection. */
        CompletableFuture<Long> awaitReplicas(int wanted, Duration timeout);
    }

    private final ReplicaAcks wanted;
    private final Link sender;

    /** Incremented before anything is received over a new connection. */
    private final AtomicLong connections = new AtomicLong();

    private final ReentrantLock lock = new ReentrantLock();

    // Guarded by the lock.
    private List<Written<?>> written = new ArrayList<>();
    private boolean asking;

    /** @param reconnected called when commands go over a new connection */
    ReplicatedScriptSender(LettuceConnectionFactory factory, ReplicaAcks wanted, Runnable reconnected) {
        // A command may wait for the WAIT in flight and for up to two more.
        this(
                changed -> LettuceFactories.sender(
                        factory, changed, wanted.timeout().multipliedBy(3)),
                wanted,
                reconnected);
    }

    /** @param opening takes what is to be called when commands go over a new connection */
    ReplicatedScriptSender(Function<Runnable, Link> opening, ReplicaAcks wanted, Runnable reconnected) {
        this.wanted = wanted;
        this.sender = opening.apply(() -> {
            connections.incrementAndGet();
            reconnected.run();
        });
    }

    /**
     * @param needsReplicas for which answers replicas must have the writes
     * @return fails with a {@link NotReplicatedException} if too few replicas have them in time, or Redis refuses WAIT
     */
    <T> CompletableFuture<T> send(LockCall<T> call, Predicate<T> needsReplicas) {
        long connection = connections.get();
        return answerTo(call, sender.send(call), connection, needsReplicas);
    }

    /** Sends all together; the answers are in the order of the calls. */
    <T> List<CompletableFuture<T>> sendAll(List<? extends LockCall<T>> calls, Predicate<T> needsReplicas) {
        long connection = connections.get();
        List<CompletableFuture<T>> ran = sender.sendAll(calls);
        return IntStream.range(0, ran.size())
                .mapToObj(i -> answerTo(calls.get(i), ran.get(i), connection, needsReplicas))
                .toList();
    }

    private <T> CompletableFuture<T> answerTo(
            LockCall<T> call, CompletableFuture<T> ran, long connection, Predicate<T> needsReplicas) {
        Answer<T> answer = new Answer<>();
        follow(answer, call, ran, connection, needsReplicas);
        return answer;
    }

    private <T> void follow(
            Answer<T> answer, LockCall<T> call, CompletableFuture<T> ran, long connection, Predicate<T> needsReplicas) {
        answer.ran = ran;
        ran.whenComplete((reply, failure) -> {
            long present = connections.get();
            if (failure != null) {
                answer.completeExceptionally(failure);
            } else if (!needsReplicas.test(reply)) {
                answer.complete(reply);
            } else if (connection == present) {
                await(new Written<>(answer, reply, connection));
            } else if (!answer.isDone()) {
                follow(answer, call, sender.send(call), present, needsReplicas);
            }
        });
    }

    private void await(Written<?> one) {
        lock.lock();
        try {
            written.add(one);
            if (asking) {
                return;
            }
            asking = true;
        } finally {
            lock.unlock();
        }
        ask();
    }

    private void ask() {
        List<Written<?>> batch;
        lock.lock();
        try {
            if (written.isEmpty()) {
                asking = false;
                return;
            }
            batch = written;
            written = new ArrayList<>();
        } finally {
            lock.unlock();
        }
        sender.awaitReplicas(wanted.replicas(), wanted.timeout()).whenComplete((count, failure) -> {
            long connection = connections.get();
            for (Written<?> one : batch) {
                if (failure != null) {
                    one.fail(RedisErrorExplanations.isReply(failure) ? refused(failure) : failure);
                } else if (one.connection != connection) {
                    one.fail(new ConnectException(
                            "The connection to Redis was lost before replicas acknowledged the lock."));
                } else if (count < wanted.replicas()) {
                    one.fail(tooFew(count));
                } else {
                    one.succeed();
                }
            }
            ask();
        });
    }

    /** The write has run, but no replica is known to have it. */
    private static NotReplicatedException refused(Throwable failure) {
        Throwable error = Failures.unwrapped(failure);
        return new NotReplicatedException("Redis refuses WAIT: " + error.getMessage(), error);
    }

    private NotReplicatedException tooFew(long count) {
        return new NotReplicatedException(count + " of " + wanted.replicas() + " replicas acknowledged it within "
                + wanted.timeout().toMillis() + " ms");
    }

    /** As {@link ScriptSender#obstacle()}. */
    ScriptSender.@Nullable Obstacle obstacle() {
        return sender.obstacle();
    }

    @Override
    public void close() {
        sender.close();
    }

    /** The answer of a script that has run, and the connection it ran over. */
    private static final class Written<T> {

        private final CompletableFuture<T> answer;
        private final T reply;
        private final long connection;

        Written(CompletableFuture<T> answer, T reply, long connection) {
            this.answer = answer;
            this.reply = reply;
            this.connection = connection;
        }

        void succeed() {
            answer.complete(reply);
        }

        void fail(Throwable failure) {
            answer.completeExceptionally(failure);
        }
    }

    /** Cancelling it also cancels the script if that was not sent yet. */
    private static final class Answer<T> extends CompletableFuture<T> {

        private volatile @Nullable CompletableFuture<T> ran;

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            CompletableFuture<T> sent = ran;
            if (sent != null) {
                sent.cancel(mayInterruptIfRunning);
            }
            return super.cancel(mayInterruptIfRunning);
        }
    }
}
