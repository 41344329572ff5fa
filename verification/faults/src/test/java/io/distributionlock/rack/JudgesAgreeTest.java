package io.distributionlock.rack;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.rack.History.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The rack's judge and Lincheck say the same of histories made by hand. They lie, as files, beside verification/judge, where Porcupine is
 * asked about the same ones.
 */
class JudgesAgreeTest {

    private static final Path FILES = Path.of("../judge/testdata");

    /** What the judges must say, by the lease and by what was told, is in the file's name. */
    enum Case {
        ONE_AFTER_THE_OTHER(
                "clean",
                "clean",
                "0 1 call; 1 1 enter 3000; 2 2 call; 100 1 held 3000; 110 1 leave; 111 1 released OK; 112 2 enter 3100; 150 2 held 3100; 200 2 leave; 201 2 released OK"),
        GIVEN_TWICE(
                "broken",
                "broken",
                "0 1 call; 1 1 enter 3000; 2 2 call; 50 2 enter 3050; 100 1 held 3000; 110 1 leave; 120 2 leave; 121 2 released OK"),
        GIVEN_TWICE_TO_ONE_PROCESS(
                "broken",
                "broken",
                "0 1a call; 1 1a enter 3000; 2 1b call; 50 1b enter 3050; 100 1a held 3000; 110 1a leave; 120 1b leave; 121 1b released OK"),
        LOST_BY_REDIS(
                "redis",
                "redis",
                "0 1 call; 1 1 enter 3000; 2 2 call; 50 2 enter 3050; 100 1 held 3000; 110 1 leave",
                new Window(Kind.LOSS, -1, 40, 45)),
        LOST_BY_REDIS_BEFORE_BOTH(
                "broken",
                "broken",
                "0 1 call; 301 1 enter 3000; 302 2 call; 350 2 enter 3350; 400 1 held 3000; 410 1 leave",
                new Window(Kind.LOSS, -1, 40, 45)),
        PASSED_ON_AFTER_A_LOSS(
                "redis",
                "redis",
                "0 1a call; 1 1a enter 3000; 2 1b call; 3 2 call; 40 1a held 3000; 46 2 enter 3050; 50 1a leave; 51 1a released OK; 52 1b enter 3000; 80 2 held 3050; 90 2 leave; 100 1b held 3000; 110 1b leave",
                new Window(Kind.LOSS, -1, 42, 44)),
        PASSED_ON_LONG_AFTER_A_LOSS(
                "broken",
                "broken",
                "0 1a call; 1 1a enter 3000; 2 1b call; 3 2 call; 40 1a held 3000; 346 2 enter 3350; 350 1a leave; 351 1a released OK; 352 1b enter 3000; 380 2 held 3350; 390 2 leave; 400 1b held 3000; 410 1b leave",
                new Window(Kind.LOSS, -1, 42, 44)),
        PAUSED_AND_TOLD(
                "clean",
                "clean",
                "0 1 call; 1 1 enter 3000; 2 2 call; 3010 2 enter 6000; 4000 1 lost; 4001 1 leave; 4100 2 leave",
                new Window(Kind.STALL, 1, 20, 4000)),
        PAUSED_AND_UNTOLD(
                "clean",
                "broken",
                "0 1 call; 1 1 enter 3000; 2 2 call; 3010 2 enter 6000; 4000 1 held 0; 4001 1 leave; 4002 1 released OK; 4100 2 leave",
                new Window(Kind.STALL, 1, 20, 4000)),
        OVER_THE_LEASE_OF_A_WAITER_THAT_STOOD_STILL(
                "clean",
                "clean",
                "0 1 call; 2 2 call; 3500 2 enter 6500; 3600 1 enter 3000; 3601 1 lost; 3602 1 leave; 3700 2 leave",
                new Window(Kind.STALL, 1, 20, 3590)),
        STOLEN_WITHIN_THE_LEASE_OF_ONE_THAT_WAS_TOLD(
                "broken",
                "clean",
                "0 1 call; 1 1 enter 3000; 2 2 call; 60 1 held 3000; 100 2 enter 3100; 150 1 lost; 151 1 leave; 160 2 leave"),
        BUSY_AND_FAILED(
                "clean",
                "clean",
                "0 1 call; 1 1 enter 3000; 2 2 call; 3 3 call; 50 2 busy; 60 3 failed X; 100 1 held 3000; 110 1 leave; 111 1 released LOST");

        final Opinion opinion;
        final History history = new History();

        Case(String lease, String told, String script, Window... windows) {
            this.opinion = new Opinion(Opinion.Level.parse(lease), Opinion.Level.parse(told));
            Script.play(history, script);
            for (Window window : windows) {
                Script.during(history, window.kind, window.process, window.from, window.to);
            }
        }

        /** {@code <by the lease>-<by what was told>-<name>}. */
        Path file() {
            return FILES.resolve(opinion.lease() + "-" + opinion.told() + "-"
                    + name().toLowerCase(Locale.ROOT).replace('_', '-') + ".jsonl");
        }
    }

    private record Window(Kind kind, int process, int from, int to) {}

    @ParameterizedTest
    @EnumSource
    void theRacksJudgeSaysWhatIsTrue(Case each) {
        assertThat(Opinion.of(Judge.verdictOn(each.history))).isEqualTo(each.opinion);
    }

    @ParameterizedTest
    @EnumSource
    void lincheckSaysWhatIsTrue(Case each) {
        assertThat(LincheckJudge.opinionOn(each.history)).isEqualTo(each.opinion);
    }

    /** {@code -Djudge.rewrite=true} writes the files anew. */
    @ParameterizedTest
    @EnumSource
    void porcupineIsAskedAboutTheSame(Case each) throws IOException {
        if (Boolean.getBoolean("judge.rewrite")) {
            Files.createDirectories(FILES);
            Files.write(each.file(), HistoryFile.lines(each.history));
        }
        assertThat(each.file()).hasContent(String.join("\n", HistoryFile.lines(each.history)));
    }

    @Test
    void porcupineIsAskedAboutNothingElse() throws IOException {
        try (var files = Files.list(FILES)) {
            assertThat(files)
                    .containsExactlyInAnyOrderElementsOf(
                            List.of(Case.values()).stream().map(Case::file).toList());
        }
    }
}
