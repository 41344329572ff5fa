package io.distributionlock.engine;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The latest acquires of a bid, so that those that were not sent yet can be dropped: all of them when the bid is given up, and the
 * oldest when there are others that ask the same.
 */
final class Flight {

    /**
     * A backend that is slow may yet answer the one before the latest. While it is away, all that were ever asked would wait for
     * it.
     */
    private static final int MOST_ACQUIRES = 2;

    /** How to drop each of them, the oldest first. */
    private final Queue<Runnable> drops = new ConcurrentLinkedQueue<>();

    private volatile boolean dropped;

    void carries(CompletableFuture<?> answer) {
        add(() -> answer.cancel(false));
    }

    /** The bids of these flights are in the same command, which is dropped when the last of them has no use for it. */
    static void share(List<Flight> flights, CompletableFuture<?> answer) {
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
        dropAllBut(dropped ? 0 : MOST_ACQUIRES);
    }

    void drop() {
        dropped = true;
        dropAllBut(0);
    }

    private void dropAllBut(int kept) {
        while (drops.size() > kept) {
            Runnable oldest = drops.poll();
            if (oldest != null) {
                oldest.run();
            }
        }
    }
}
