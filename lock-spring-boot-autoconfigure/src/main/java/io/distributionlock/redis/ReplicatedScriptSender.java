package io.distributionlock.redis;

import io.distributionlock.backend.NotReplicatedException;
import java.net.ConnectException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
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
 * its WAIT was answered over the same connection.
 */
final class ReplicatedScriptSender implements AutoCloseable {

    private final ReplicaAcks wanted;
    private final LettuceScriptSender sender;

    /** Incremented before anything is received over a new connection. */
    private final AtomicLong connections = new AtomicLong();

    private final ReentrantLock lock = new ReentrantLock();

    // Guarded by the lock.
    private List<Written<?>> written = new ArrayList<>();
    private boolean asking;

    /** @param reconnected called when commands go over a new connection */
    ReplicatedScriptSender(LettuceConnectionFactory factory, ReplicaAcks wanted, Runnable reconnected) {
        this.wanted = wanted;
        // A command may wait for the WAIT in flight and for up to two more.
        this.sender = LettuceFactories.sender(
                factory,
                () -> {
                    connections.incrementAndGet();
                    reconnected.run();
                },
                wanted.timeout().multipliedBy(3));
    }

    /**
     * @param needsReplicas for which answers replicas must have the writes
     * @return fails with a {@link NotReplicatedException} if too few replicas have them in time
     */
    <T> CompletableFuture<T> send(LockCall<T> call, Predicate<T> needsReplicas) {
        return answerTo(sender.send(call), needsReplicas);
    }

    /** Sends all together; the answers are in the order of the calls. */
    <T> List<CompletableFuture<T>> sendAll(List<? extends LockCall<T>> calls, Predicate<T> needsReplicas) {
        return sender.sendAll(calls).stream()
                .map(ran -> answerTo(ran, needsReplicas))
                .toList();
    }

    private <T> CompletableFuture<T> answerTo(CompletableFuture<T> ran, Predicate<T> needsReplicas) {
        Answer<T> answer = new Answer<>(ran);
        ran.whenComplete((reply, failure) -> {
            if (failure != null) {
                answer.completeExceptionally(failure);
            } else if (needsReplicas.test(reply)) {
                await(new Written<>(answer, reply, connections.get()));
            } else {
                answer.complete(reply);
            }
        });
        return answer;
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
        askAfterPresentAnswers();
    }

    /** Answers arrive in batches, and one WAIT is to cover a whole batch. */
    private void askAfterPresentAnswers() {
        Executor loop = LettuceScriptSender.currentEventLoop();
        if (loop == null) {
            ask();
            return;
        }
        try {
            loop.execute(this::ask);
        } catch (RejectedExecutionException e) {
            // The client was shut down.
            ask();
        }
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
                    one.fail(failure);
                } else if (one.connection != connection) {
                    one.fail(new ConnectException(
                            "The connection to Redis was lost before replicas acknowledged the lock."));
                } else if (count < wanted.replicas()) {
                    one.fail(tooFew(count));
                } else {
                    one.succeed();
                }
            }
            askAfterPresentAnswers();
        });
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

        private final CompletableFuture<T> ran;

        Answer(CompletableFuture<T> ran) {
            this.ran = ran;
        }

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            ran.cancel(mayInterruptIfRunning);
            return super.cancel(mayInterruptIfRunning);
        }
    }
}
