package io.distributionlock.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class BallotTest {

    @Test
    void theVerdictIsKnownAsSoonAsItCannotChange() {
        Ballot ballot = new Ballot(5, 3);
        ballot.yes(0);
        ballot.yes(1);
        ballot.no(2);
        assertThat(ballot.verdict()).isEqualTo(Ballot.Verdict.OPEN);
        ballot.failed(3);
        assertThat(ballot.verdict()).isEqualTo(Ballot.Verdict.OPEN);
        ballot.yes(4);
        assertThat(ballot.verdict()).isEqualTo(Ballot.Verdict.ACCEPTED);
    }

    @Test
    void theFirstVoteOfANodeCounts() {
        Ballot ballot = new Ballot(1, 1);
        ballot.no(0);
        ballot.yes(0);
        assertThat(ballot.verdict()).isEqualTo(Ballot.Verdict.REJECTED);
    }

    /** Compared with what the missing votes could still change. */
    @Test
    void theVerdictIsWhatEveryCompletionOfTheVotesAgreesOn() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 20_000; i++) {
            int nodes = 1 + random.nextInt(5);
            int needed = random.nextBoolean() ? nodes / 2 + 1 : nodes;
            Ballot ballot = new Ballot(nodes, needed);
            int yes = 0;
            int no = 0;
            int open = 0;
            for (int node = 0; node < nodes; node++) {
                switch (random.nextInt(4)) {
                    case 0 -> {
                        ballot.yes(node);
                        yes++;
                    }
                    case 1 -> {
                        ballot.no(node);
                        no++;
                    }
                    case 2 -> ballot.failed(node);
                    default -> open++;
                }
            }
            boolean mayAccept = yes + open >= needed;
            boolean mayReject = no + open > nodes - needed;
            Ballot.Verdict expected;
            if (yes >= needed) {
                expected = Ballot.Verdict.ACCEPTED;
            } else if (no > nodes - needed) {
                expected = Ballot.Verdict.REJECTED;
            } else if (mayAccept || mayReject) {
                expected = Ballot.Verdict.OPEN;
            } else {
                expected = Ballot.Verdict.UNKNOWN;
            }
            assertThat(ballot.verdict()).as("seed %d, vote %d", seed, i).isEqualTo(expected);
        }
    }
}
