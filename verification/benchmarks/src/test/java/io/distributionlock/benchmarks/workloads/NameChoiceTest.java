package io.distributionlock.benchmarks.workloads;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class NameChoiceTest {

    @Test
    void ofManyNamesEachIsLockedOnceByAllProcessesTogether() {
        SectionShape shape = new SectionShape(3, Naming.MANY, 10, 0, 0);
        List<Integer> chosen = new ArrayList<>();
        for (int process = 0; process < 2; process++) {
            for (int thread = 0; thread < 3; thread++) {
                IntSupplier choice = NameChoice.of(shape, process, 2, thread);
                for (int name = choice.getAsInt(); name != NameChoice.NO_MORE; name = choice.getAsInt()) {
                    chosen.add(name);
                }
            }
        }
        assertThat(chosen)
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, 10).boxed().toList());
    }

    @Test
    void ownNamesDifferBetweenThreadsAndProcesses() {
        SectionShape shape = new SectionShape(2, Naming.OWN, 4, 0, 0);
        assertThat(IntStream.range(0, 4)
                        .map(i -> NameChoice.of(shape, i / 2, 2, i % 2).getAsInt()))
                .containsExactly(0, 1, 2, 3);
    }
}
