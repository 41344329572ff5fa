package io.distributionlock.redis;

import io.distributionlock.engine.StateFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What each command is answered, tells and leaves in Redis. */
@Tag("server")
class ScriptFilesTest {

    static List<Path> files() throws IOException {
        return StateFile.in("scripts");
    }

    @ParameterizedTest
    @MethodSource("files")
    void keepsWhatTheFileSays(Path path) throws IOException {
        try (ScriptDriver redis = new ScriptDriver()) {
            StateFile.check(path, redis::run);
        }
    }
}
