package io.distributionlock.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.distributionlock.internal.BackendProblemException;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisConnectionException;
import java.util.List;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.data.redis.RedisConnectionFailureException;
import org.springframework.data.redis.RedisSystemException;

@Tag("server")
@Tag("boot4")
class RedisProblemsTest {

    private static Throwable explained(Throwable failure) {
        return RedisErrorExplanations.explained(
                failure,
                new LockCall.SetIfAbsent("distribution-lock:{order}".getBytes(UTF_8), new byte[0], 1_000),
                SettingNames.OF_SPRING);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        NOPERM this user has no permissions to run the 'evalsha' command              | ACL SETUSER
        NOPERM No permissions to access a key                                          | ACL SETUSER
        ERR Error running script: @user_script: 1: -NOPERM this user has no permissions | ACL SETUSER
        WRONGPASS invalid username-password pair or user is disabled.                  | spring.data.redis.username
        ERR invalid password                                                           | spring.data.redis.password
        NOAUTH Authentication required.                                                | Set spring.data.redis.password
        NOAUTH HELLO must be called with the client already authenticated              | Set spring.data.redis.password
        ERR AUTH <password> called without any password configured for the default user | Remove spring.data.redis.password
        ERR unknown command `EVALSHA`, with args beginning with: `1`                   | sentinel
        ERR unknown command 'WAIT', with args beginning with: '1' '500'                | min-replicas-to-ack
        ERR Error running script: @user_script: 7: Unknown Redis command called from Lua script | Redis 6.2 or later
        ERR bad lua script for redis cluster, all the keys that the script uses should be passed using the KEYS array | script_check_enable
        MOVED 866 127.0.0.1:7001                                                       | spring.data.redis.cluster.nodes
        CLUSTERDOWN Hash slot not served                                               | CLUSTER INFO
        READONLY You can't write against a read only replica.                          | to the master
        WRONGTYPE Operation against a key holding the wrong kind of value               | Delete that key
        OOM command not allowed when used memory > 'maxmemory'.                        | Raise maxmemory
        """)
    void whatRedisAnswersIsExplained(String answer, String action) {
        Throwable byLettuce = new RedisCommandExecutionException(answer);
        Throwable bySpring = new RedisSystemException("Error in execution", byLettuce);
        Throwable whileConnecting = new RedisConnectionFailureException(
                "Unable to connect to Redis", new RedisConnectionException("Unable to connect", byLettuce));
        for (Throwable failure : new Throwable[] {byLettuce, bySpring, whileConnecting}) {
            assertThat(explained(failure))
                    .asInstanceOf(type(BackendProblemException.class))
                    .satisfies(problem -> {
                        assertThat(problem.action()).contains(action);
                        assertThat(problem.getMessage()).contains(problem.description(), problem.action());
                        assertThat(problem.getCause()).isSameAs(failure);
                    });
        }
    }

    @Test
    void whatTlsSaysIsExplained() {
        Throwable failure = new RedisConnectionException("x", new SSLHandshakeException("certificate_unknown"));
        assertThat(explained(failure)).hasMessageContaining("spring.data.redis.ssl.bundle");
    }

    @Test
    void whatIsExplainedAlreadyStaysAsItIs() {
        Throwable once = explained(new RedisCommandExecutionException("NOAUTH Authentication required."));
        assertThat(explained(once)).isSameAs(once);
        assertThat(explained(new RuntimeException("outside", once))).isSameAs(once);
    }

    @Test
    void whatSpeaksForItselfStaysAsItIs() {
        Throwable failure = new RedisCommandExecutionException("ERR wrong number of arguments");
        assertThat(explained(failure)).isSameAs(failure);
        Throwable silent = new IllegalStateException();
        assertThat(explained(silent)).isSameAs(silent);
    }

    @ParameterizedTest
    @CsvSource({"5.0.14, true", "6.0.16, true", "6.2.11, false", "7.2.4, false", "10.0, false", "255.255.255, false"})
    void aVersionIsReadByItsFirstTwoNumbers(String version, boolean tooOld) {
        assertThat(ServerInfo.versionOf(version).orElseThrow().compareTo(ServerInfo.OLDEST) < 0)
                .isEqualTo(tooOld);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "unstable", "v8", "upstash-1.2", "7"})
    void whatIsNoVersionIsNotRead(String version) {
        assertThat(ServerInfo.versionOf(version)).isEmpty();
    }

    @Test
    void refusedCommandsAreNamedTogetherWithWhatRedisSaid() {
        BackendProblemException byNewer = RedisErrorExplanations.refusedCommands(
                List.of("ZADD ERR The user executing the script can't run this command", "TIME ERR Unknown"), "shop");
        assertThat(byNewer.description())
                .endsWith("ZADD (The user executing the script can't run this command); TIME (Unknown).");
        assertThat(byNewer.action()).contains(RedisAcl.rule("shop"));
        BackendProblemException byOlder = RedisErrorExplanations.refusedCommands(
                List.of(
                        "ZADD @user_script: 33: Unknown Redis command called from Lua script",
                        "ZREM @user_script: 34: Unknown Redis command called from Lua script"),
                "shop");
        assertThat(byOlder.description()).endsWith("ZADD, ZREM (Unknown Redis command called from Lua script).");
        assertThat(byOlder.action()).contains("Redis 6.2 or later").doesNotContain("ACL");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SET READONLY You can't write against a read only replica.",
                "SET @user_script: 30: -READONLY You can't write against a read only replica.",
                "HSET OOM command not allowed when used memory > 'maxmemory'."
            })
    void theStateOfTheServerIsNoRefusalOfACommand(String line) {
        assertThat(RedisErrorExplanations.isStateOfServer(line)).isTrue();
    }
}
