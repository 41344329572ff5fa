package io.distributionlock.messages;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import io.distributionlock.HeldLocks;
import io.distributionlock.LockTemplate;
import io.distributionlock.internal.BackendProblemException;
import org.apache.commons.logging.LogFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** M: what the library logs during tests is read, wherever and however it is logged. */
class MessageCheckTest {

    @AfterEach
    void forget() {
        MessageCheck.takeFound();
    }

    @Test
    @DisplayName("M: a message with a fault is found, with who said it")
    void message() {
        LogFactory.getLog(HeldLocks.class).warn("Lock 'a' was lost..");
        assertThat(MessageCheck.takeFound())
                .singleElement()
                .asString()
                .contains("io.distributionlock.HeldLocks", "Lock 'a' was lost..", "double punctuation");
    }

    @Test
    @DisplayName("M: so is an exception of the library that is logged, also as a cause")
    void exception() {
        LogFactory.getLog(LockTemplate.class)
                .warn(
                        "It failed",
                        new IllegalStateException("..", new BackendProblemException("It failed..", "Help.", null)));
        assertThat(MessageCheck.takeFound()).singleElement().asString().contains("BackendProblemException");
    }

    @Test
    @DisplayName("M: a forged line is found")
    void forgedLine() {
        LogFactory.getLog(LockTemplate.class).warn("Lock 'a\r12:00:00 INFO all is well' was lost");
        assertThat(MessageCheck.takeFound()).singleElement().asString().contains("control characters");
    }

    @Test
    @DisplayName("M: a wait longer than the process has run is found")
    void duration() {
        LogFactory.getLog(LockTemplate.class).warn("Acquiring lock 'a' failed after 999999999 ms");
        assertThat(MessageCheck.takeFound()).singleElement().asString().contains("999999999");
    }

    @Test
    @DisplayName("M: tests may log what they like")
    void ofTests() {
        LogFactory.getLog(MessageCheckTest.class).warn("..");
        assertThat(MessageCheck.takeFound()).isEmpty();
    }

    @Test
    @DisplayName("M: it goes on listening when an application sets logging up anew")
    void afterReset() {
        ((LoggerContext) LoggerFactory.getILoggerFactory()).reset();
        message();
    }
}
