package io.distributionlock.state;

import io.distributionlock.internal.Internal;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * The latest acquires of a claim. Unsent ones can be dropped: all of them when the claim is given up, and the
 * oldest when later ones ask the same.
 *
 * @hidden
 */
@Internal
public final class InFlightAcquire {

    /**
     * A slow backend may still answer the one before the latest. Without a limit, they would pile up while the backend is
     * unreachable.
     */
    private static final int MAX_ACQUIRES = 2;

    /** How to drop each of them, the oldest first. */
    private final Queue<Runnable> drops = new ConcurrentLinkedQueue<>();

    /** Held while an acquire is being sent. */
    private final ReentrantLock sending = new ReentrantLock();

    private volatile boolean dropped;

    /**
     * Sends an acquire unless all were dropped. A drop on another thread waits meanwhile, so the release that follows it is sent later
     * than the acquire.
     *
     * @param acquire sends it, and does not block
     */
    public <T> CompletableFuture<T> send(Supplier<CompletableFuture<T>> acquire) {
        CompletableFuture<T> answer;
        sending.lock();
        try {
            if (dropped) {
                return CompletableFuture.failedFuture(new CancellationException("The claim was given up."));
            }
            answer = Objects.requireNonNull(acquire.get(), "answer");
        } finally {
            sending.unlock();
        }
        carries(answer);
        return answer;
    }

    void carries(CompletableFuture<?> answer) {
        add(() -> answer.cancel(false));
    }

    /** One command carries acquires of several claims, and is dropped when the last of them no longer needs it. */
    public static void share(List<InFlightAcquire> flights, CompletableFuture<?> answer) {
        AtomicInteger users = new AtomicInteger(flights.size());
        Runnable leave = () -> {
            if (users.decrementAndGet() == 0) {
                answer.cancel(false);
            }
        };
        flights.forEach(flight -> flight.add(leave));
    }

    private void add(Runnable drop) {
        drops.add(drop);
        dropAllBut(dropped ? 0 : MAX_ACQUIRES);
    }

    public void drop() {
        sending.lock();
        try {
            dropped = true;
        } finally {
            sending.unlock();
        }
        dropAllBut(0);
    }

    private void dropAllBut(int count) {
        while (drops.size() > count) {
            Runnable oldest = drops.poll();
            if (oldest != null) {
                oldest.run();
            }
        }
    }
}
