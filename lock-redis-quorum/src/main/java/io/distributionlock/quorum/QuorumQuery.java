package io.distributionlock.quorum;

import io.distributionlock.internal.Failures;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** A yes-or-no question to all nodes, each of which answers or fails once. Thread-safe. */
final class QuorumQuery {

    private final int nodes;
    private final int needed;
    private final CompletableFuture<Boolean> result = new CompletableFuture<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final List<Throwable> failures = new ArrayList<>();
    private int yes;
    private int no;

    QuorumQuery(int nodes, int needed) {
        this.nodes = nodes;
        this.needed = needed;
    }

    /** {@code true} if a quorum agrees, {@code false} if the others are too few; fails if too many nodes failed to know either. */
    CompletableFuture<Boolean> result() {
        return result;
    }

    /** Takes the answer of one node, or its failure. */
    void count(@Nullable Boolean agrees, @Nullable Throwable failure) {
        Runnable verdict;
        lock.lock();
        try {
            if (failure != null) {
                failures.add(Failures.unwrapped(failure));
            } else if (Boolean.TRUE.equals(agrees)) {
                yes++;
            } else {
                no++;
            }
            verdict = verdict();
        } finally {
            lock.unlock();
        }
        verdict.run();
    }

    private Runnable verdict() {
        int open = nodes - yes - no - failures.size();
        int tolerated = nodes - needed;
        if (yes >= needed) {
            return () -> result.complete(true);
        }
        if (no > tolerated) {
            return () -> result.complete(false);
        }
        if (yes + open >= needed || no + open > tolerated) {
            return () -> {};
        }
        IllegalStateException unknown = new IllegalStateException("too few nodes answered", failures.get(0));
        failures.stream().skip(1).forEach(unknown::addSuppressed);
        return () -> result.completeExceptionally(unknown);
    }
}
