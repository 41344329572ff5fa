package io.distributionlock.engine;

import io.distributionlock.testing.SilentLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What one process sends and tells its callers, event by event, without a backend, threads or sleep. */
@ExtendWith(SilentLog.class)
class StateFilesTest {

    static List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("src/test/resources/state"))) {
            return files.filter(file -> file.toString().endsWith(".txt"))
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("files")
    void keepsWhatTheFileSays(Path path) throws IOException {
        StateFile file = new StateFile(path);
        StateDriver process = new StateDriver();
        if (Boolean.getBoolean("state.rewrite")) {
            file.rewrite(process::run);
        } else {
            file.run(process::run);
        }
    }
}
