package io.distributionlock.quorum;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;

/** A yes-or-no query to all nodes; thread-safe. */
final class QuorumQuery {

    private final VoteCount votes;
    private final CompletableFuture<Boolean> result = new CompletableFuture<>();
    private final List<Throwable> failures = new ArrayList<>();
    private final ReentrantLock lock = new ReentrantLock();

    QuorumQuery(int nodes, int needed) {
        this.votes = new VoteCount(nodes, needed);
    }

    /** Completes when a quorum agrees; fails when too many nodes did not answer. */
    CompletableFuture<Boolean> result() {
        return result;
    }

    void answered(int node, boolean yes) {
        count(() -> {
            if (yes) {
                votes.yes(node);
            } else {
                votes.no(node);
            }
        });
    }

    void failed(int node, Throwable cause) {
        count(() -> {
            votes.failed(node);
            failures.add(cause);
        });
    }

    private void count(Runnable vote) {
        VoteCount.Verdict verdict;
        IllegalStateException unknown = null;
        lock.lock();
        try {
            vote.run();
            verdict = votes.verdict();
            if (verdict == VoteCount.Verdict.UNKNOWN) {
                unknown = new IllegalStateException("too few nodes answered", failures.get(0));
                failures.stream().skip(1).forEach(unknown::addSuppressed);
            }
        } finally {
            lock.unlock();
        }
        if (unknown != null) {
            result.completeExceptionally(unknown);
        } else if (verdict != VoteCount.Verdict.OPEN) {
            result.complete(verdict == VoteCount.Verdict.ACCEPTED);
        }
    }
}
