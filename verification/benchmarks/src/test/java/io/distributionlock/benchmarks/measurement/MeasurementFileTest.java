package io.distributionlock.benchmarks.measurement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MeasurementFileTest {

    private static final Measurement FIRST =
            new Measurement("hot", "2 processes", "redisson", "gap p99", "µs", 1, 1234.5678901);
    private static final Measurement SECOND =
            new Measurement("hot", "2 processes", "redisson", "gap p99", "µs", 2, 1.0e-7);

    private Path path;
    private MeasurementFile file;

    @BeforeEach
    void namesTheFile(@TempDir Path folder) {
        path = folder.resolve("measurements.csv");
        file = new MeasurementFile(path);
    }

    @Test
    void readsWhatWasWrittenAndAppended() {
        file.write(List.of(FIRST));
        file.append(List.of(SECOND));
        assertThat(file.read()).containsExactly(FIRST, SECOND);
    }

    @Test
    void writingReplacesWhatWasThere() {
        file.write(List.of(FIRST));
        file.write(List.of(SECOND));
        assertThat(file.read()).containsExactly(SECOND);
    }

    @Test
    void refusesATextThatWouldBeReadAsTwoColumns() {
        Measurement comma = new Measurement("hot", "2 processes, 8 threads", "redisson", "gap", "µs", 1, 1);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> file.write(List.of(comma)))
                .withMessageContaining("2 processes, 8 threads");
    }

    @Test
    void saysWhichLineCannotBeRead() throws Exception {
        file.write(List.of(FIRST));
        Files.writeString(path, Files.readString(path) + "hot,2 processes,redisson\n");
        assertThatIllegalArgumentException().isThrownBy(file::read).withMessageContaining("line 3");
    }

    @Test
    void refusesAnotherFile() throws Exception {
        Files.writeString(path, "something else\n");
        assertThatIllegalArgumentException().isThrownBy(file::read).withMessageContaining("does not begin");
    }
}
