package io.distributionlock.faults;

import io.distributionlock.LockTemplate;
import io.distributionlock.leader.LeaderElection;
import io.distributionlock.leader.LeaderTerm;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A process of the {@link SoakIT} that stands for election, stops and starts at random, and writes down when it was the leader: each
 * of its terms is a turn.
 */
final class Candidate {

    static final String LOCK = "leader:soak";

    private static final String ELECTION = "soak";

    private static final Duration LEASE = Duration.ofSeconds(3);
    private static final long LOOK_EVERY_MILLIS = 2;

    private final String process;
    private final HistoryFile.Writer history;
    private final Random random;
    private final LeaderElection election;
    private final CountDownLatch ended = new CountDownLatch(1);
    private @Nullable Turn turn;

    Candidate(String process, LockTemplate locks, HistoryFile.Writer history, Random random) {
        this.process = process;
        this.history = history;
        this.random = random;
        this.election = new LeaderElection(locks, ELECTION, LEASE);
    }

    /** Stands until this is over. */
    void run(BooleanSupplier over) {
        long stoodAt = System.nanoTime();
        election.start();
        while (!over.getAsBoolean()) {
            look(stoodAt);
            if (random.nextInt(1_000) == 0) {
                election.stop();
                stoodAt = System.nanoTime();
                election.start();
            }
            pause();
        }
        election.stop();
        ended.countDown();
    }

    /** If it leads now, it has led from the first look at this term until this one. */
    private void look(long stoodAt) {
        long before = System.nanoTime();
        Optional<LeaderTerm> term = election.term();
        long after = System.nanoTime();
        if (term.isPresent()) {
            long token = term.get().fencingToken();
            Turn known = turn;
            long from = known == null || known.token() != token ? after : known.validFrom();
            turn = new Turn(election.lockName(), process + "-leads-" + token, token, stoodAt, from, from, before, null);
            history.turn(turn);
        }
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(LOOK_EVERY_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    void awaitEnd() throws InterruptedException {
        ended.await();
    }
}
