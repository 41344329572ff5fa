package io.distributionlock.state;

import io.distributionlock.internal.Internal;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The latest acquires of a claim. Those that were not sent yet can be dropped: all of them when the claim is given up, and the
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

    private volatile boolean dropped;

    public void carries(CompletableFuture<?> answer) {
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
        dropped = true;
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
