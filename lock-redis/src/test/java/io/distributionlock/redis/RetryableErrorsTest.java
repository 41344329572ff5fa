package io.distributionlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.distributionlock.backend.TryAgainException;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.dao.InvalidDataAccessApiUsageException;

@Tag("server")
@Tag("boot4")
class RetryableErrorsTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "TRYAGAIN Multiple keys request during rehashing of slot",
                "CLUSTERDOWN The cluster is down",
                "MOVED 3999 127.0.0.1:6381",
                "ASK 3999 127.0.0.1:6381",
                "LOADING Redis is loading the dataset in memory",
                "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.",
                "READONLY You can't write against a read only replica. script: f, on @user_script:13.",
                "ERR Error running script (call to f_1): @user_script:13: -READONLY You can't write against a read only replica.",
                "ERR Script attempted to access a non local key in a cluster node script: f_1, on @user_script:13.",
                "ERR Error running script (call to f_1): @user_script:13: Script attempted to access a non local key",
                "BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE."
            })
    void whatDidNotRunAndSoonMayIsARefusal(String error) {
        assertThat(RetryableErrors.isOne(error)).isTrue();
        assertThat(RetryableErrors.translate(
                        new InvalidDataAccessApiUsageException("Error in execution", new IllegalStateException(error))))
                .isInstanceOf(TryAgainException.class)
                .hasMessage(error);
    }

    @Test
    void causesThatFormACircleComeToAnEnd() {
        IllegalStateException failure = new IllegalStateException("one");
        failure.initCause(new IllegalStateException("another", failure));
        assertTimeoutPreemptively(
                Duration.ofSeconds(20),
                () -> assertThat(RetryableErrors.translate(failure)).isSameAs(failure));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "NOSCRIPT No matching script. Please use EVAL.",
                "NOPERM this user has no permissions to run the 'evalsha' command",
                "WRONGTYPE Operation against a key holding the wrong kind of value",
                "NOREPLICAS Not enough good replicas to write.",
                "OOM command not allowed when used memory > 'maxmemory'.",
                "ERR unknown command"
            })
    void everythingElseIsAFailure(String error) {
        IllegalStateException failure = new IllegalStateException(error);
        assertThat(RetryableErrors.isOne(error)).isFalse();
        assertThat(RetryableErrors.translate(failure)).isSameAs(failure);
    }
}
