package io.distributionlock.messages;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import io.distributionlock.HeldLocks;
import io.distributionlock.LockTemplate;
import io.distributionlock.internal.BackendProblemException;
import org.apache.commons.logging.LogFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What the library logs during tests is read, wherever and however it is logged. */
class MessageCheckTest {

    @AfterEach
    void forget() {
        MessageCheck.takeFound();
    }

    @Test
    void aMessageWithAFaultIsFoundWithWhoSaidIt() {
        LogFactory.getLog(HeldLocks.class).warn("Lock 'a' was lost..");
        assertThat(MessageCheck.takeFound())
                .singleElement()
                .asString()
                .contains("io.distributionlock.HeldLocks", "Lock 'a' was lost..", "double punctuation");
    }

    @Test
    void soIsAnExceptionOfTheLibraryThatIsLoggedAlsoAsACause() {
        LogFactory.getLog(LockTemplate.class)
                .warn(
                        "It failed",
                        new IllegalStateException("..", new BackendProblemException("It failed..", "Help.", null)));
        assertThat(MessageCheck.takeFound()).singleElement().asString().contains("BackendProblemException");
    }

    @Test
    void aForgedLineIsFound() {
        LogFactory.getLog(LockTemplate.class).warn("Lock 'a\r12:00:00 INFO all is well' was lost");
        assertThat(MessageCheck.takeFound()).singleElement().asString().contains("control characters");
    }

    @Test
    void aWaitLongerThanTheProcessHasRunIsFound() {
        LogFactory.getLog(LockTemplate.class).warn("Acquiring lock 'a' failed after 999999999 ms");
        assertThat(MessageCheck.takeFound()).singleElement().asString().contains("999999999");
    }

    @Test
    void testsMayLogWhatTheyLike() {
        LogFactory.getLog(MessageCheckTest.class).warn("..");
        assertThat(MessageCheck.takeFound()).isEmpty();
    }

    @Test
    void itGoesOnListeningWhenAnApplicationSetsLoggingUpAnew() {
        ((LoggerContext) LoggerFactory.getILoggerFactory()).reset();
        aMessageWithAFaultIsFoundWithWhoSaidIt();
    }
}
