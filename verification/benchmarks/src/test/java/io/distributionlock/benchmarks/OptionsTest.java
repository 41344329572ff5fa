package io.distributionlock.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.distributionlock.benchmarks.contestants.Contestants;
import java.util.List;
import org.junit.jupiter.api.Test;

class OptionsTest {

    @Test
    void aFullRunIsTheDefault() {
        Options options = Options.parse();
        assertThat(options.quick()).isFalse();
        assertThat(options.rounds()).isEqualTo(3);
        assertThat(options.seconds()).isEqualTo(5);
        assertThat(options.includesWorkload("fair")).isTrue();
    }

    @Test
    void aQuickRunIsShortUnlessToldOtherwise() {
        assertThat(Options.parse("--quick").rounds()).isEqualTo(1);
        assertThat(Options.parse("--quick", "--rounds", "5").rounds()).isEqualTo(5);
    }

    @Test
    void workloadsAndContestantsCanBeChosen() {
        Options options = Options.parse("--workloads", "fair,hot name", "--contestants", "redisson fair");
        assertThat(options.includesWorkload("hot name")).isTrue();
        assertThat(options.includesWorkload("re-entry")).isFalse();
        assertThat(options.includesContestant("redisson fair")).isTrue();
        assertThat(options.includesContestant("distribution-lock")).isFalse();
    }

    @Test
    void namesWhatItDoesNotUnderstand() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Options.parse("--fast", "1"))
                .withMessageContaining("--fast");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Options.parse("--rounds", "many"))
                .withMessageContaining("--rounds")
                .withMessageContaining("many");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Options.parse("--workloads", "warm"))
                .withMessageContaining("'warm'")
                .withMessageContaining("uncontended");
    }

    @Test
    void namesAContestantThatItDoesNotKnow() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Options.parse("--contestants", "redisson,redison"))
                .withMessageContaining("'redison'")
                .withMessageContaining("redisson watchdog")
                .withMessageNotContaining(Contestants.BROKEN);
    }

    @Test
    void theLockThatDoesNotLockTakesPartOnlyWhenItIsNamed() {
        assertThat(contestants(Options.parse("--workloads", "fair")))
                .containsOnly("distribution-lock fair", "redisson fair");
        assertThat(contestants(Options.parse("--workloads", "fair", "--contestants", Contestants.BROKEN)))
                .containsOnly(Contestants.BROKEN);
    }

    @Test
    void refusesToMeasureNothing() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Options.parse("--workloads", "fair,renewing", "--contestants", "redisson,lock4j"))
                .withMessageContaining("redisson, lock4j")
                .withMessageContaining("fair, renewing");
        assertThat(contestants(Options.parse("--workloads", "fair,waiters", "--contestants", "redisson")))
                .containsOnly("redisson");
        // They have no contestants to choose from.
        assertThat(Options.parse("--workloads", "micro", "--contestants", "redisson")
                        .variants())
                .isEmpty();
    }

    private static List<String> contestants(Options options) {
        return options.variants().stream()
                .flatMap(variant -> options.contestantsOf(variant).stream())
                .toList();
    }
}
