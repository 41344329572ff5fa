package io.distributionlock.messages;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import io.distributionlock.hold.HeldLocks;
import io.distributionlock.internal.BackendProblemException;
import java.time.Duration;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** The rules find each kind of fault, also in what is logged during tests: otherwise no test of messages could fail. */
class MessageRulesTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "It failed.. Try again. | has double punctuation",
                "It failed:. Why | has double punctuation",
                "See distribution-lock.redis.timeout. | names the property distribution-lock.redis.timeout, which does not exist",
                "Wait longer (waitTime). | names the attribute waitTime, which does not exist",
                "Leave leaseLength out. | names the attribute leaseLength, which does not exist",
                "Lock 'a\u202eb'. | has raw control characters",
                "Lock '\ud800'. | has raw control characters",
                "Acquiring lock 'a' failed: null. | says null",
            })
    void aFaultIsFound(String message, String fault) {
        assertThat(MessageRules.faults(message)).containsExactly(fault);
    }

    @Test
    void soIsWhatATestKnowsOfALock() {
        String message = "Acquiring lock 'a' failed after 8000 ms: No answer came within 8000 ms.";
        assertThat(MessageRules.faults(message, Duration.ofMillis(300))).hasSize(2);
        assertThat(MessageRules.faults(message, "stock")).containsExactly("does not name 'stock'");
        assertThat(MessageRules.faults(" ")).containsExactly("says nothing");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Lock 'a..b, .c' is busy: it was not free within 5 ms. Try again later, or wait longer (tryLockTime).",
                "Write it as redis://user:password@host:6379/0, or with rediss:// for TLS.",
                "distribution-lock.quorum.nodes[1] is blank. See spring.data.redis.*, or"
                        + " distribution-lock.quorum.nodes, or distribution-lock.locks[a.b].*.",
                "Set the property, or give the placeholder in 'key' a default (${name:default}).",
                "Waiting ... and so on, see localhost/127.0.0.1:6379, or [::1]:6379.",
                "The name of a lock is null. Give it a text.",
                "Set management.health.distribution-lock.enabled, and io.distributionlock.LockTemplate.",
            })
    void whatIsRightPasses(String message) {
        assertThat(MessageRules.faults(message)).isEmpty();
    }

    /** By the library itself, with an exception, and after an application has set logging up anew. */
    @Test
    void whatTheLibraryLogsIsRead() {
        ((LoggerContext) LoggerFactory.getILoggerFactory()).reset();
        Log log = LogFactory.getLog(HeldLocks.class);
        log.warn("Acquiring lock 'a' failed after 999999999 ms.");
        log.warn(
                "It failed.",
                new IllegalStateException("..", new BackendProblemException("It failed..", "Help.", null)));
        LogFactory.getLog(MessageRulesTest.class).warn("..");
        assertThat(MessageCheck.takeFound())
                .satisfiesExactly(
                        first -> assertThat(first).contains("HeldLocks", "tells of 999999999 ms"),
                        second -> assertThat(second).contains("BackendProblemException", "double punctuation"));
    }
}
