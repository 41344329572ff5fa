package io.distributionlock.quorum;

import java.util.Arrays;

/** Counts the votes of the nodes on one query. No I/O, no threads, no clock; the first vote of a node counts. */
final class VoteCount {

    /** What the votes so far amount to. */
    enum Verdict {
        /** It depends on the votes that are missing. */
        OPEN,
        /** Enough nodes said yes. */
        ACCEPTED,
        /** So many said no that the others are too few. */
        REJECTED,
        /** Too many failed to answer to know either. */
        UNKNOWN
    }

    private enum Vote {
        NONE,
        YES,
        NO,
        FAILED
    }

    private final Vote[] votes;
    private final int needed;

    VoteCount(int nodes, int needed) {
        this.votes = new Vote[nodes];
        this.needed = needed;
        Arrays.fill(votes, Vote.NONE);
    }

    void yes(int node) {
        cast(node, Vote.YES);
    }

    void no(int node) {
        cast(node, Vote.NO);
    }

    /** The node did not answer, or its answer proves nothing. */
    void failed(int node) {
        cast(node, Vote.FAILED);
    }

    private void cast(int node, Vote vote) {
        if (votes[node] == Vote.NONE) {
            votes[node] = vote;
        }
    }

    boolean isComplete() {
        return count(Vote.NONE) == 0;
    }

    Verdict verdict() {
        int yes = count(Vote.YES);
        int no = count(Vote.NO);
        int open = count(Vote.NONE);
        int tolerated = votes.length - needed;
        if (yes >= needed) {
            return Verdict.ACCEPTED;
        }
        if (no > tolerated) {
            return Verdict.REJECTED;
        }
        return yes + open < needed && no + open <= tolerated ? Verdict.UNKNOWN : Verdict.OPEN;
    }

    private int count(Vote wanted) {
        int count = 0;
        for (Vote vote : votes) {
            if (vote == wanted) {
                count++;
            }
        }
        return count;
    }
}
