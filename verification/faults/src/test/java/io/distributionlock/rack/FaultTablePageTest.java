package io.distributionlock.rack;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The tables of the page are those of the published figures. */
class FaultTablePageTest {

    private static final Path DOCS = Path.of("../../docs");

    private final Results published = Results.pool(List.of(DOCS.resolve("faults")));
    private final String page = read(DOCS.resolve("fault-table.md"));

    private static String read(Path file) {
        try {
            return Files.readString(file).replace("\r\n", "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void eachTableIsOnThePage() {
        assertThat(published.tables())
                .isNotEmpty()
                .allSatisfy((title, table) ->
                        assertThat(page).as(title).contains("# " + title + "\n\n" + String.join("\n", table) + "\n"));
    }

    @Test
    void thePictureIsThatOfTheFigures() {
        assertThat(read(DOCS.resolve("faults/picture.svg")).strip())
                .isEqualTo(String.join("\n", published.picture()).strip());
    }

    /** What a judge says alone is a fault of a judge, or has to be explained. */
    @Test
    void theJudgesAgree() {
        assertThat(published.disagreements()).isEmpty();
    }

    @Test
    void everyJudgeWasAskedAboutTheBrokenLockAndConvictedIt() {
        assertThat(published.convictionsOf(Library.BROKEN)).hasSize(3).doesNotContain(0L);
    }
}
