package io.distributionlock.quorum;

import io.distributionlock.engine.AcquireReply;
import io.distributionlock.redis.RaiseReply;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * One attempt to get a lock from a quorum of nodes, and the tenure that follows if it succeeds, as a state machine: events in,
 * {@link Step}s out. No I/O, no threads, no clock: the caller keeps events from overlapping.
 *
 * <p>An attempt has two halves. First the nodes are asked for the lock; each gives its own fencing number. When a quorum has given
 * it, the greatest of the numbers is written back to the nodes that gave it, each of which does so only if the claim still owns
 * the lock there. When a quorum has written it, the lock is got.
 *
 * <p>Why the numbers grow. Two attempts that succeed have both written at some node. There the one wrote while it owned the lock,
 * and the other became the owner before or after that time, not within it. Who came later was given a number above the one that
 * was written; so whoever holds later has the greater number, whichever nodes are up.
 *
 * <p>Why the second half also asks for the node's age. A node that was started again empty may have given away what the holder
 * still counts on. It must not count until every lease of before has ended. The question comes after the lock was given: had
 * the node been started in between, the answer would show it.
 *
 * <p>An attempt that has become hopeless is not reported before all nodes have answered or were given up: what was given is given
 * back at once, and of a node that has answered it is known for certain that nothing comes after that.
 */
final class Round {

    private enum Standing {
        /** Was not asked, because it is known not to answer. */
        SKIPPED,
        ASKED,
        GIVEN,
        RAISED,
        REFUSED,
        FAILED
    }

    /** The claim under which the nodes know this attempt; used for nothing else, before or after. */
    final String claim;

    private final int needed;
    private final Standing[] standings;

    /** Which fencing number each node has given. */
    private final long[] fences;

    /** Whether a copy of the acquire may still run there. */
    private final boolean[] maybeRunsLate;

    /** Whether the claim may own the lock there, as far as is known. */
    private final boolean[] maybeOwns;

    private final List<Throwable> failures = new ArrayList<>();

    /** The greatest number of the first quorum; 0 until there is one. */
    private long fence;

    private long greatestSeen;
    private boolean decided;
    private boolean won;
    private boolean over;

    /** @param asked which nodes are asked */
    Round(String claim, boolean[] asked, int needed) {
        this.claim = claim;
        this.needed = needed;
        this.standings = new Standing[asked.length];
        this.fences = new long[asked.length];
        this.maybeRunsLate = new boolean[asked.length];
        this.maybeOwns = new boolean[asked.length];
        Arrays.fill(standings, Standing.SKIPPED);
        for (int node = 0; node < asked.length; node++) {
            if (asked[node]) {
                standings[node] = Standing.ASKED;
                maybeRunsLate[node] = true;
            }
        }
    }

    boolean isAsked(int node) {
        return standings[node] == Standing.ASKED;
    }

    // ------------------------------------------------------------------ the attempt

    /** @param clean whether no copy of the acquire can still be under way */
    void acquireAnswered(int node, AcquireReply reply, boolean clean, List<Step> out) {
        if (standings[node] != Standing.ASKED) {
            return;
        }
        maybeRunsLate[node] = !clean;
        if (reply instanceof AcquireReply.Ok ok) {
            standings[node] = Standing.GIVEN;
            maybeOwns[node] = true;
            fences[node] = ok.fence();
            if (fence > 0 && !decided) {
                out.add(new Step.Raise(node, fence));
            }
        } else {
            standings[node] = Standing.REFUSED;
            if (reply instanceof AcquireReply.Busy busy) {
                greatestSeen = Math.max(greatestSeen, busy.fence());
            }
        }
        decide(out);
    }

    /** The acquire failed or was given up: nobody knows whether it ran, or will. */
    void acquireFailed(int node, Throwable cause, List<Step> out) {
        if (standings[node] == Standing.ASKED) {
            standings[node] = Standing.FAILED;
            maybeOwns[node] = true;
            failures.add(cause);
            decide(out);
        }
    }

    void raiseAnswered(int node, RaiseReply reply, List<Step> out) {
        if (standings[node] != Standing.GIVEN) {
            return;
        }
        switch (reply) {
            case RAISED -> standings[node] = Standing.RAISED;
            case NOT_MINE -> refused(node);
            case TOO_YOUNG -> {
                standings[node] = Standing.FAILED;
                failures.add(new IllegalStateException(
                        "a node was started too short a time ago to count (distribution-lock.quorum.restart-delay)"));
            }
        }
        decide(out);
    }

    void raiseFailed(int node, Throwable cause, List<Step> out) {
        if (standings[node] == Standing.GIVEN) {
            standings[node] = Standing.FAILED;
            failures.add(cause);
            decide(out);
        }
    }

    private void refused(int node) {
        standings[node] = Standing.REFUSED;
        maybeOwns[node] = false;
    }

    private void decide(List<Step> out) {
        if (decided) {
            return;
        }
        if (fence == 0 && count(Standing.GIVEN) >= needed) {
            raise(out);
        }
        if (count(Standing.RAISED) >= needed) {
            decided = true;
            won = true;
            out.add(new Step.Won(fence));
        } else if (isHopeless() && count(Standing.ASKED) == 0) {
            decided = true;
            Step outcome = outcomeOfFailure();
            giveBack(out);
            out.add(outcome);
        }
    }

    private void raise(List<Step> out) {
        for (int node = 0; node < standings.length; node++) {
            if (standings[node] == Standing.GIVEN) {
                fence = Math.max(fence, fences[node]);
            }
        }
        for (int node = 0; node < standings.length; node++) {
            if (standings[node] == Standing.GIVEN) {
                out.add(new Step.Raise(node, fence));
            }
        }
    }

    private boolean isHopeless() {
        return count(Standing.ASKED) + count(Standing.GIVEN) + count(Standing.RAISED) < needed;
    }

    /** Busy is told only of a lock that could have been got if nobody else had it. */
    private Step outcomeOfFailure() {
        int silent = count(Standing.FAILED) + count(Standing.SKIPPED);
        if (silent <= standings.length - needed) {
            return new Step.Busy(greatestSeen);
        }
        IllegalStateException cause = new IllegalStateException(
                silent + " of " + standings.length + " nodes did not take part, and " + needed + " have to agree");
        failures.forEach(cause::addSuppressed);
        if (!failures.isEmpty()) {
            cause.initCause(failures.get(0));
        }
        return new Step.Failed(cause);
    }

    // ------------------------------------------------------------------ the tenure

    /** Whether this node is worth asking for a longer lease: it may have given one. */
    boolean mayHold(int node) {
        return !over && maybeOwns[node];
    }

    void renewAnswered(int node, boolean held) {
        if (over) {
            return;
        }
        if (!held) {
            refused(node);
        } else if (standings[node] == Standing.FAILED) {
            // It has come late, and takes part from now on.
            standings[node] = Standing.GIVEN;
        }
    }

    /** A hand took the lock away at this node. */
    void revoked(int node, List<Step> out) {
        if (over || !maybeOwns[node]) {
            return;
        }
        refused(node);
        decide(out);
        int left = 0;
        for (int other = 0; other < standings.length; other++) {
            if (maybeOwns[other]) {
                left++;
            }
        }
        if (won && left < needed) {
            out.add(new Step.Deprived());
        }
    }

    /** Ends the attempt or the tenure. What is heard after this changes nothing. */
    void giveBack(List<Step> out) {
        if (over) {
            return;
        }
        over = true;
        decided = true;
        for (int node = 0; node < standings.length; node++) {
            if (maybeOwns[node] || maybeRunsLate[node]) {
                out.add(new Step.GiveBack(node, maybeRunsLate[node]));
            }
        }
    }

    boolean isOver() {
        return over;
    }

    private int count(Standing wanted) {
        int count = 0;
        for (Standing standing : standings) {
            if (standing == wanted) {
                count++;
            }
        }
        return count;
    }
}
