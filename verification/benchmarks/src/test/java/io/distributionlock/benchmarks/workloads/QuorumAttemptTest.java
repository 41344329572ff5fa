package io.distributionlock.benchmarks.workloads;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.benchmarks.contestants.Contestants;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class QuorumAttemptTest {

    private int begun;

    @Test
    void noTwoRoundsShareANameAndNoneHasALongerOne() {
        List<String> prefixes = new ArrayList<>();
        for (Variant variant : new Workloads(new Scale(false, 1)).all()) {
            if (variant.workload().equals(Workloads.HOT)) {
                prefixes.add(prefixOf(variant, Contestants.LIBRARY, 0));
                prefixes.add(prefixOf(variant, Contestants.LIBRARY, 1));
                prefixes.add(prefixOf(variant, Contestants.SPRING_PUBSUB, 1));
            }
        }
        assertThat(prefixes).doesNotHaveDuplicates().allMatch(prefix -> prefix.matches("hot-name-[0-9]{4}-"));
    }

    private String prefixOf(Variant variant, String contestant, int number) {
        begun++;
        return new Round(variant, contestant, number, begun, List.of(), null).namePrefix();
    }
}
