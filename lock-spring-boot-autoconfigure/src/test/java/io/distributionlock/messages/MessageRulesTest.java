package io.distributionlock.messages;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rules catch each class of fault, and nothing else. */
class MessageRulesTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "It failed.. Try again.",
                "It failed. .",
                "It failed,.",
                "It failed:. Why",
                "It failed!. Why",
                "It failed.; why",
                "It failed . Why",
                "a,, b"
            })
    void doublePunctuation(String message) {
        assertThat(MessageRules.faults(message)).containsExactly("has double punctuation");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Set distribution-lock.defaults.try-lock-tiem to 5s.",
                "See distribution-lock.redis.timeout.",
                "distribution-lock.locks.stock.lease is 5s.",
                "distribution-lock.executors.reports.kind is unknown.",
            })
    void propertiesThatDoNotExist(String message) {
        assertThat(MessageRules.faults(message))
                .singleElement()
                .asString()
                .contains("names the property", "does not exist");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Set 'tryLockTiem' to 5.",
                "X has leaseLength = 5.",
                "Wait longer (waitTime).",
                "Leave leaseLength out.",
            })
    void attributesThatDoNotExist(String message) {
        assertThat(MessageRules.faults(message))
                .singleElement()
                .asString()
                .contains("names the attribute", "does not exist");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Lock 'a\nb' is busy\u001b[31m.", "Lock 'a\u2028b'.", "Lock 'a\u202eb'.", "Lock '\ud800'."})
    void rawControlCharactersAndHalvesOfCharacters(String message) {
        assertThat(MessageRules.faults(message)).containsExactly("has raw control characters");
    }

    @Test
    void durationsThatDidNotElapse() {
        String message = "Acquiring lock 'a' failed after 8000 ms: No answer came within 8000 ms.";
        assertThat(MessageRules.faults(message, Duration.ofMillis(300))).hasSize(2);
        assertThat(MessageRules.faults(message, Duration.ofMillis(8001))).isEmpty();
    }

    @Test
    void aNameThatIsMissingAndNothingSaidAtAll() {
        assertThat(MessageRules.faults("The lock is busy.", "stock")).containsExactly("does not name 'stock'");
        assertThat(MessageRules.faults("Lock 'stock' is busy.", "stock")).isEmpty();
        assertThat(MessageRules.faults(" ")).containsExactly("says nothing");
        assertThat(MessageRules.faults("Acquiring lock 'a' failed: null.")).containsExactly("says null");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Lock 'a..b, .c' is busy: it was not free within 5 ms. Try again later, or wait longer (tryLockTime).",
                "Write it as redis://user:password@host:6379/0, or with rediss:// for TLS.",
                "The properties distribution-lock.locks[a.b].* do not fit.",
                "distribution-lock.executors.reports.quorum.nodes[1] is blank. See spring.data.redis.*, or"
                        + " distribution-lock.quorum.nodes.",
                "Set the property, or give the placeholder in 'key' a default (${name:default}).",
                "Waiting ... and so on, see localhost/127.0.0.1:6379.",
                "Name a Redis, such as [::1]:6379.",
                "The name of a lock is null. Give it a text.",
                "Set management.health.distribution-lock.enabled, and io.distributionlock.LockTemplate.",
            })
    void whatIsRightPasses(String message) {
        assertThat(MessageRules.faults(message)).isEmpty();
    }
}
