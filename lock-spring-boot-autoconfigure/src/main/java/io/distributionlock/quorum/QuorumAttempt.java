package io.distributionlock.quorum;

import io.distributionlock.backend.AcquireReply;
import io.distributionlock.redis.RaiseFenceReply;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * One attempt to acquire a lock from a quorum of nodes, and the ownership that follows a success, as a state machine: events in,
 * {@link Action}s out. No I/O, no threads, no clock; the caller keeps events from overlapping.
 *
 * <p>An attempt has two phases. First each node is asked for the lock; each that grants it answers with its own fencing number.
 * When a quorum has granted it, the greatest of these numbers is written back to the nodes of that quorum; a node accepts it only
 * if the claim still owns the lock there. When a quorum has accepted it, the lock is acquired.
 *
 * <p>Why fencing numbers grow. Any two successful attempts have a node in common that accepted both of their numbers, each while
 * that claim owned the lock there. The later owner was granted the lock there after the earlier number was written, so its own
 * number is greater, whichever nodes are up.
 *
 * <p>Why the second phase also checks the node's uptime. A node that restarted empty may have granted a lock whose earlier holder
 * still counts on it, so it must not count until every earlier lease has ended. The check comes after the grant, so a restart in
 * between would show.
 *
 * <p>Healing. A node that has no part in the ownership, for example because it came back empty, is asked again while the lock is held. It
 * counts once it has granted the lock, accepted the number and been up long enough: the same two phases, for one node.
 *
 * <p>A hopeless attempt is reported only when every node has answered or timed out. Its grants are released then, and from a node
 * that has answered no later grant can come.
 */
final class QuorumAttempt {

    /** What the caller does, in this order, after an event. */
    sealed interface Action {

        /** Raises the fencing number of a node, which also checks that the claim still owns the lock there. */
        record RaiseFence(int node, long fence) implements Action {}

        /** Releases what a node may have granted. */
        record Release(int node, boolean tombstone) implements Action {}

        /** A quorum has granted the lock, under this fencing number. */
        record Acquired(long fence) implements Action {}

        /** Too many nodes have granted the lock to other claims. */
        record Busy(long fence) implements Action {}

        /** Too many nodes failed. */
        record Failed(Throwable cause) implements Action {}
    }

    private enum Status {
        /** It is known not to answer. */
        NOT_ASKED,
        ASKED,
        GRANTED,
        /** It has granted the lock and accepted the fencing number. */
        CONFIRMED,
        REFUSED,
        FAILED
    }

    /** The claim of this attempt at the nodes; no other attempt uses it. */
    final String claim;

    private final int needed;
    private final Status[] statuses;

    /** The fencing number of each grant. */
    private final long[] fences;

    /** How many copies of the acquire may still run at the node. */
    private final int[] mayRunLate;

    /** Whether the claim may own the lock at the node. */
    private final boolean[] mayOwn;

    private final List<Throwable> failures = new ArrayList<>();

    /** The greatest number of the first quorum; 0 before there is one. */
    private long fence;

    private long greatestFenceSeen;
    private boolean decided;
    private boolean acquired;
    private boolean released;

    /** @param asked for each node, whether it is asked */
    QuorumAttempt(String claim, boolean[] asked, int needed) {
        this.claim = claim;
        this.needed = needed;
        this.statuses = new Status[asked.length];
        this.fences = new long[asked.length];
        this.mayRunLate = new int[asked.length];
        this.mayOwn = new boolean[asked.length];
        Arrays.fill(statuses, Status.NOT_ASKED);
        for (int node = 0; node < asked.length; node++) {
            if (asked[node]) {
                ask(node);
            }
        }
    }

    private void ask(int node) {
        statuses[node] = Status.ASKED;
        mayRunLate[node]++;
    }

    boolean isAsked(int node) {
        return statuses[node] == Status.ASKED;
    }

    // ------------------------------------------------------------------ the attempt

    /** @param clean whether no copy of the acquire can still be under way */
    void acquireAnswered(int node, AcquireReply reply, boolean clean, List<Action> out) {
        if (statuses[node] != Status.ASKED) {
            return;
        }
        if (clean) {
            mayRunLate[node]--;
        }
        if (reply instanceof AcquireReply.Ok ok) {
            statuses[node] = Status.GRANTED;
            mayOwn[node] = true;
            fences[node] = ok.fence();
            if (fence > 0 && !released) {
                out.add(new Action.RaiseFence(node, fence));
            }
        } else {
            refused(node);
            if (reply instanceof AcquireReply.Busy busy) {
                greatestFenceSeen = Math.max(greatestFenceSeen, busy.fence());
            }
        }
        decide(out);
    }

    /** The acquire failed or timed out, so it may have run, or may run yet. */
    void acquireFailed(int node, Throwable cause, List<Action> out) {
        if (statuses[node] == Status.ASKED) {
            statuses[node] = Status.FAILED;
            mayOwn[node] = true;
            failures.add(cause);
            decide(out);
        }
    }

    void raiseAnswered(int node, RaiseFenceReply reply, List<Action> out) {
        if (statuses[node] != Status.GRANTED) {
            return;
        }
        switch (reply) {
            case RAISED -> statuses[node] = Status.CONFIRMED;
            case NOT_MINE -> refused(node);
            case TOO_YOUNG -> {
                statuses[node] = Status.FAILED;
                failures.add(new IllegalStateException(
                        "a node restarted too recently to count (distribution-lock.quorum.restart-delay)"));
            }
        }
        decide(out);
    }

    void raiseFailed(int node, Throwable cause, List<Action> out) {
        if (statuses[node] == Status.GRANTED) {
            statuses[node] = Status.FAILED;
            failures.add(cause);
            decide(out);
        }
    }

    private void refused(int node) {
        statuses[node] = Status.REFUSED;
        mayOwn[node] = false;
    }

    private void decide(List<Action> out) {
        if (decided) {
            return;
        }
        if (fence == 0 && count(Status.GRANTED) >= needed) {
            raiseFences(out);
        }
        if (count(Status.CONFIRMED) >= needed) {
            decided = true;
            acquired = true;
            out.add(new Action.Acquired(fence));
        } else if (isHopeless() && count(Status.ASKED) == 0) {
            decided = true;
            Action outcome = outcomeOfFailure();
            release(out);
            out.add(outcome);
        }
    }

    private void raiseFences(List<Action> out) {
        for (int node = 0; node < statuses.length; node++) {
            if (statuses[node] == Status.GRANTED) {
                fence = Math.max(fence, fences[node]);
            }
        }
        for (int node = 0; node < statuses.length; node++) {
            if (statuses[node] == Status.GRANTED) {
                out.add(new Action.RaiseFence(node, fence));
            }
        }
    }

    private boolean isHopeless() {
        return count(Status.ASKED) + count(Status.GRANTED) + count(Status.CONFIRMED) < needed;
    }

    /** "Busy" only if enough nodes answered to acquire a free lock. */
    private Action outcomeOfFailure() {
        int absent = count(Status.FAILED) + count(Status.NOT_ASKED);
        if (absent <= statuses.length - needed) {
            return new Action.Busy(greatestFenceSeen);
        }
        IllegalStateException cause = new IllegalStateException(absent + " of " + statuses.length
                + " nodes did not answer or do not count, and " + needed + " have to agree");
        failures.forEach(cause::addSuppressed);
        if (!failures.isEmpty()) {
            cause.initCause(failures.get(0));
        }
        return new Action.Failed(cause);
    }

    // ------------------------------------------------------------------ the ownership

    /** Whether the node has a part in the ownership. */
    boolean isConfirmed(int node) {
        return !released && statuses[node] == Status.CONFIRMED;
    }

    /** The lock is gone from a node that had a part in the ownership. */
    void goneFrom(int node) {
        if (isConfirmed(node)) {
            refused(node);
        }
    }

    /**
     * Has a node asked again that has no part in the ownership.
     *
     * @return whether to send it an acquire
     */
    boolean heal(int node) {
        boolean hasNoPart = statuses[node] == Status.NOT_ASKED
                || statuses[node] == Status.REFUSED
                || statuses[node] == Status.FAILED;
        if (!acquired || released || !hasNoPart) {
            return false;
        }
        ask(node);
        return true;
    }

    /** Ends the attempt or the ownership. Later answers change nothing. */
    void release(List<Action> out) {
        if (released) {
            return;
        }
        released = true;
        decided = true;
        for (int node = 0; node < statuses.length; node++) {
            boolean tombstone = mayRunLate[node] > 0;
            if (mayOwn[node] || tombstone) {
                out.add(new Action.Release(node, tombstone));
            }
        }
    }

    boolean isReleased() {
        return released;
    }

    private int count(Status wanted) {
        int count = 0;
        for (Status status : statuses) {
            if (status == wanted) {
                count++;
            }
        }
        return count;
    }
}
