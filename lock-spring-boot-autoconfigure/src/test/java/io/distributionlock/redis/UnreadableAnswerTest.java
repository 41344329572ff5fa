package io.distributionlock.redis;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.distributionlock.LockBackendException;
import io.distributionlock.LockTemplate;
import io.distributionlock.testing.LockContextRunner;
import io.distributionlock.testing.RespStub;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Scripts answer by a text. Anything else comes from something that is no Redis, and is no success. */
@Tag("boot4")
@Timeout(120)
class UnreadableAnswerTest {

    @ParameterizedTest
    @ValueSource(strings = {"*0", "$-1", ":1", "*1\r\n:1"})
    void failsWithAReason(String answer) throws Exception {
        assertFails(Map.of("PING", "+PONG", "EVALSHA", answer));
    }

    @ParameterizedTest
    @ValueSource(strings = {"*0", "$-1", ":1"})
    void alsoOfAScriptThatIsSentInFull(String answer) throws Exception {
        assertFails(Map.of("PING", "+PONG", "EVALSHA", "-NOSCRIPT No matching script.", "EVAL", answer));
    }

    private static void assertFails(Map<String, String> answers) throws Exception {
        try (RespStub stub = RespStub.start(answers)) {
            LockContextRunner.redis(stub.port()).run(context -> {
                LockTemplate locks = context.getBean(LockTemplate.class);
                assertThatExceptionOfType(LockBackendException.class)
                        .isThrownBy(() -> locks.lock("name").isLocked())
                        .havingCause()
                        .isNotInstanceOf(TimeoutException.class)
                        .isNotInstanceOf(NullPointerException.class)
                        .withMessageMatching(".+");
            });
        }
    }
}
