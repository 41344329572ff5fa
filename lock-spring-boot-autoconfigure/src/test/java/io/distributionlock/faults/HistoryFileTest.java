package io.distributionlock.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.distributionlock.ReleaseResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a process wrote down is read as it was meant. */
class HistoryFileTest {

    private static final Turn BEGUN = new Turn("key", "one", 1, 2, 3, 4, 5, null);
    private static final Turn ENDED = new Turn("key", "one", 1, 2, 3, 4, 6, ReleaseResult.RELEASED);

    @TempDir
    private Path folder;

    @Test
    void readsTheLastStateOfEachTurnAndTheAnswerToEachQuestion() throws IOException {
        HistoryFile.Writer writer = new HistoryFile.Writer(file());
        writer.asked("one", "key", 2, 100);
        writer.asked("two", "key", 3, 200);
        writer.answered("one", 4, Attempt.ACQUIRED);
        writer.turn(BEGUN);
        writer.turn(ENDED);
        HistoryFile.History history = HistoryFile.read(file(), "process", 50);
        assertThat(history.turns()).containsExactly(ENDED);
        assertThat(history.attempts())
                .containsExactly(
                        new Attempt("process", "one", "key", 2, 100, 4, Attempt.ACQUIRED),
                        new Attempt("process", "two", "key", 3, 200, 50, null));
    }

    @Test
    void keepsTurnsOfOneTokenApartIfTheyAreOfDifferentThreads() throws IOException {
        HistoryFile.Writer writer = new HistoryFile.Writer(file());
        writer.turn(BEGUN);
        writer.turn(new Turn("key", "two", 1, 2, 3, 4, 5, null));
        assertThat(HistoryFile.read(file(), "process", 50).turns()).hasSize(2);
    }

    @Test
    void ignoresALineThatAKilledProcessDidNotFinish() throws IOException {
        Files.writeString(file(), "turn " + BEGUN.toLine() + "\nturn key on");
        assertThat(HistoryFile.read(file(), "process", 50).turns()).containsExactly(BEGUN);
    }

    @Test
    void refusesWhatIsNoTurn() throws IOException {
        Files.writeString(file(), "turn key one\n");
        assertThatIllegalArgumentException().isThrownBy(() -> HistoryFile.read(file(), "process", 50));
    }

    private Path file() {
        return folder.resolve("history");
    }
}
