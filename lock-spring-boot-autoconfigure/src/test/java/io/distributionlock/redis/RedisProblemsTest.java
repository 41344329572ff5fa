package io.distributionlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.distributionlock.internal.BackendProblemException;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisConnectionException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.data.redis.RedisConnectionFailureException;
import org.springframework.data.redis.RedisSystemException;

class RedisProblemsTest {

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
        ERR Write commands not allowed after non deterministic commands                | Upgrade Redis
        MOVED 866 127.0.0.1:7001                                                       | spring.data.redis.cluster.nodes
        CLUSTERDOWN Hash slot not served                                               | CLUSTER INFO
        READONLY You can't write against a read only replica.                          | to the master
        WRONGTYPE Operation against a key holding the wrong kind of value               | Delete that key
        OOM command not allowed when used memory > 'maxmemory'.                        | Raise maxmemory
        """)
    void whatRedisAnswersIsExplained(String answer, String cure) {
        Throwable byLettuce = new RedisCommandExecutionException(answer);
        Throwable bySpring = new RedisSystemException("Error in execution", byLettuce);
        Throwable whileConnecting = new RedisConnectionFailureException(
                "Unable to connect to Redis", new RedisConnectionException("Unable to connect", byLettuce));
        for (Throwable failure : new Throwable[] {byLettuce, bySpring, whileConnecting}) {
            assertThat(RedisErrorExplanations.explained(failure))
                    .asInstanceOf(type(BackendProblemException.class))
                    .satisfies(problem -> {
                        assertThat(problem.cure()).contains(cure);
                        assertThat(problem.getMessage()).contains(problem.description(), problem.cure());
                        assertThat(problem.getCause()).isSameAs(failure);
                    });
        }
    }

    @Test
    void whatTlsSaysIsExplained() {
        Throwable failure = new RedisConnectionException("x", new SSLHandshakeException("certificate_unknown"));
        assertThat(RedisErrorExplanations.explained(failure)).hasMessageContaining("spring.data.redis.ssl.bundle");
    }

    @Test
    void whatIsExplainedAlreadyStaysAsItIs() {
        Throwable once =
                RedisErrorExplanations.explained(new RedisCommandExecutionException("NOAUTH Authentication required."));
        assertThat(RedisErrorExplanations.explained(once)).isSameAs(once);
        assertThat(RedisErrorExplanations.explained(new RuntimeException("outside", once)))
                .isSameAs(once);
    }

    @Test
    void whatSpeaksForItselfStaysAsItIs() {
        Throwable failure = new RedisCommandExecutionException("ERR wrong number of arguments");
        assertThat(RedisErrorExplanations.explained(failure)).isSameAs(failure);
        Throwable silent = new IllegalStateException();
        assertThat(RedisErrorExplanations.explained(silent)).isSameAs(silent);
    }

    @Test
    void aVersionIsReadByItsFirstTwoNumbers() {
        assertThat(RedisVersion.of("5.0.14").isOlderThan(RedisVersion.OLDEST)).isTrue();
        assertThat(RedisVersion.of("6.0.16").isOlderThan(RedisVersion.OLDEST)).isTrue();
        assertThat(RedisVersion.of("6.2.11").isOlderThan(RedisVersion.OLDEST)).isFalse();
        assertThat(RedisVersion.of("10.0").isOlderThan(RedisVersion.OLDEST)).isFalse();
    }
}
