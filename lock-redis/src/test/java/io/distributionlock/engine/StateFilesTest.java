package io.distributionlock.engine;

import io.distributionlock.testing.SilentLog;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What one process sends and tells its callers, event by event, without a backend, threads or sleep. */
@ExtendWith(SilentLog.class)
class StateFilesTest {

    static List<Path> files() throws IOException {
        return StateFile.in("state");
    }

    @ParameterizedTest
    @MethodSource("files")
    void keepsWhatTheFileSays(Path path) throws IOException {
        StateFile.check(path, new StateDriver()::run);
    }
}
