package io.distributionlock.redis;

import io.distributionlock.engine.NotReplicatedException;
import java.net.ConnectException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Sends scripts whose answers count only when enough replicas have what they wrote.
 *
 * <p>Redis answers WAIT for the writes of the connection that asks, and holds that connection up meanwhile. Hence a connection
 * of its own, and at most one WAIT under way on it: what is sent meanwhile runs when that is answered, and the next WAIT speaks
 * for all of it. So a thousand locks cost hardly more of them than one, and without replicas an answer takes two or three
 * timeouts, however many ask.
 *
 * <p>A WAIT over a new connection knows nothing of the writes of the one before it, and would say yes at once. What was written
 * over another connection than WAIT was answered on is therefore not acknowledged.
 */
final class ReplicatedScripts implements AutoCloseable {

    private final ReplicaAcks wanted;
    private final LettuceScriptSender sender;

    /** Counted before anything is received over a new connection. */
    private final AtomicLong connections = new AtomicLong();

    private final ReentrantLock lock = new ReentrantLock();

    // Guarded by the lock.
    private List<Written<?>> written = new ArrayList<>();
    private boolean asking;

    /** @param reconnected told when calls travel over another connection than before */
    ReplicatedScripts(LettuceConnectionFactory factory, ReplicaAcks wanted, Runnable reconnected) {
        this.wanted = wanted;
        // Behind a WAIT that has just begun, a command waits for up to two more of them.
        this.sender = LettuceFactories.sender(
                factory,
                () -> {
                    connections.incrementAndGet();
                    reconnected.run();
                },
                wanted.timeout().multipliedBy(3));
    }

    /**
     * @param needsReplicas which answers count only when replicas have what was written
     * @return fails with a {@link NotReplicatedException} if too few have it in time
     */
    <T> CompletableFuture<T> send(ScriptCall<T> call, Predicate<T> needsReplicas) {
        return answerTo(sender.send(call), needsReplicas);
    }

    /** Sends all together; the answers stand in the order of the calls. */
    <T> List<CompletableFuture<T>> sendAll(List<ScriptCall<T>> calls, Predicate<T> needsReplicas) {
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

    /** Answers come in bunches: those of the same bunch are to be spoken for by the same WAIT. */
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
        sender.replicasThatHaveAll(wanted.replicas(), wanted.timeout()).whenComplete((count, failure) -> {
            long connection = connections.get();
            for (Written<?> one : batch) {
                if (failure != null) {
                    one.fail(failure);
                } else if (one.connection != connection) {
                    one.fail(new ConnectException(
                            "The connection to Redis was lost before it was known whether replicas have the lock."));
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

    @Override
    public void close() {
        sender.close();
    }

    /** A script has run over this connection, and answered this. */
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

    /** If nobody waits for it any longer, what was not sent yet need not be. */
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
