package io.distributionlock.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class VoteCountTest {

    @Test
    void theVerdictIsKnownAsSoonAsItCannotChange() {
        VoteCount votes = new VoteCount(5, 3);
        votes.yes(0);
        votes.yes(1);
        votes.no(2);
        assertThat(votes.verdict()).isEqualTo(VoteCount.Verdict.OPEN);
        votes.failed(3);
        assertThat(votes.verdict()).isEqualTo(VoteCount.Verdict.OPEN);
        votes.yes(4);
        assertThat(votes.verdict()).isEqualTo(VoteCount.Verdict.ACCEPTED);
    }

    @Test
    void theFirstVoteOfANodeCounts() {
        VoteCount votes = new VoteCount(1, 1);
        votes.no(0);
        votes.yes(0);
        assertThat(votes.verdict()).isEqualTo(VoteCount.Verdict.REJECTED);
    }

    /** Compared with what the missing votes could still change. */
    @Test
    void theVerdictIsWhatEveryCompletionOfTheVotesAgreesOn() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 20_000; i++) {
            int nodes = 1 + random.nextInt(5);
            int needed = random.nextBoolean() ? nodes / 2 + 1 : nodes;
            VoteCount votes = new VoteCount(nodes, needed);
            int yes = 0;
            int no = 0;
            int open = 0;
            for (int node = 0; node < nodes; node++) {
                switch (random.nextInt(4)) {
                    case 0 -> {
                        votes.yes(node);
                        yes++;
                    }
                    case 1 -> {
                        votes.no(node);
                        no++;
                    }
                    case 2 -> votes.failed(node);
                    default -> open++;
                }
            }
            boolean mayAccept = yes + open >= needed;
            boolean mayReject = no + open > nodes - needed;
            VoteCount.Verdict expected;
            if (yes >= needed) {
                expected = VoteCount.Verdict.ACCEPTED;
            } else if (no > nodes - needed) {
                expected = VoteCount.Verdict.REJECTED;
            } else if (mayAccept || mayReject) {
                expected = VoteCount.Verdict.OPEN;
            } else {
                expected = VoteCount.Verdict.UNKNOWN;
            }
            assertThat(votes.verdict()).as("seed %d, vote %d", seed, i).isEqualTo(expected);
        }
    }
}
