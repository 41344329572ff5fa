package io.distributionlock.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class QuorumQueryTest {

    /** Compared with what the missing answers could still change. */
    @Test
    void theResultIsKnownAsSoonAsItCannotChange() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 20_000; i++) {
            int nodes = 1 + random.nextInt(5);
            int needed = random.nextBoolean() ? nodes / 2 + 1 : nodes;
            QuorumQuery query = new QuorumQuery(nodes, needed);
            int yes = 0;
            int no = 0;
            for (int open = nodes - 1; open >= 0; open--) {
                switch (random.nextInt(3)) {
                    case 0 -> {
                        query.count(true, null);
                        yes++;
                    }
                    case 1 -> {
                        query.count(false, null);
                        no++;
                    }
                    default -> query.count(null, new IOException("down"));
                }
                CompletableFuture<Boolean> result = query.result();
                String place = "seed " + seed + ", query " + i;
                if (yes >= needed) {
                    assertThat(result).as(place).isCompletedWithValue(true);
                } else if (no > nodes - needed) {
                    assertThat(result).as(place).isCompletedWithValue(false);
                } else if (yes + open >= needed || no + open > nodes - needed) {
                    assertThat(result).as(place).isNotDone();
                } else {
                    assertThat(result).as(place).isCompletedExceptionally();
                }
            }
        }
    }
}
