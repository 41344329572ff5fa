package io.distributionlock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Many confirmations of a lease, one after another and at once. (E2) */
class ConfirmTest {

    private static final int ROUND_TRIP = 5;

    private final VirtualEngine virtual = new VirtualEngine();

    private CompletableFuture<Boolean> confirm(EngineLease lease) {
        return virtual.engine.confirm(lease.name(), lease.hold());
    }

    private long commands(String what) {
        return virtual.port.sent.stream().filter(what::equals).count();
    }

    @Test
    void aStormOfConfirmationsDoesNotKeepTheLeaseFromBeingRenewed() {
        virtual.port.answerAfter(ROUND_TRIP);
        EngineLease lease = virtual.take("name", 3_000);
        for (int i = 0; i < 10_000; i++) {
            confirm(lease);
            virtual.pass(1);
        }
        assertThat(lease.isValid()).isTrue();
        assertThat(virtual.engine.counters().renewals()).isGreaterThanOrEqualTo(9);
        assertThat(virtual.engine.counters().lostLeases()).isZero();
    }

    @Test
    void aStormOfExtensionsDoesNotKeepTheLeaseFromBeingRenewed() {
        virtual.port.answerAfter(ROUND_TRIP);
        EngineLease lease = virtual.take("name", 3_000);
        for (int i = 0; i < 10_000; i++) {
            virtual.engine.extend("name", lease.hold(), Duration.ofMillis(2_990));
            virtual.pass(1);
        }
        assertThat(lease.isValid()).isTrue();
        virtual.pass(3_500);
        assertThat(lease.isValid()).isTrue();
    }

    @Test
    void manyConfirmationsAtOnceCostOneCommandPerRoundTrip() {
        virtual.port.answerAfter(ROUND_TRIP);
        EngineLease lease = virtual.take("name", 60_000);
        List<CompletableFuture<Boolean>> answers = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            for (int thread = 0; thread < 32; thread++) {
                answers.add(confirm(lease));
            }
            virtual.pass(1);
        }
        virtual.pass(2 * ROUND_TRIP);
        assertThat(answers).allSatisfy(answer -> assertThat(answer).isCompletedWithValue(true));
        assertThat(commands("RENEW name")).isLessThanOrEqualTo(20 / ROUND_TRIP + 2);
    }

    /** An answer must be newer than its request: one that was already on its way does not count. */
    @Test
    void aConfirmationIsNotAnsweredByACommandThatWasSentBefore() {
        virtual.port.answerAfter(ROUND_TRIP);
        EngineLease lease = virtual.take("name", 60_000);
        CompletableFuture<Boolean> before = confirm(lease);
        virtual.backend.forgetEverything();
        CompletableFuture<Boolean> after = confirm(lease);
        virtual.pass(ROUND_TRIP);
        assertThat(before).isCompletedWithValue(true);
        assertThat(after).isNotDone();
        virtual.pass(ROUND_TRIP);
        assertThat(after).isCompletedWithValue(false);
        assertThat(lease.isValid()).isFalse();
    }

    @Test
    void whoStillWaitsForACheckIsToldAtOnceThatTheLeaseWasReleased() {
        virtual.port.answerAfter(ROUND_TRIP);
        EngineLease lease = virtual.take("name", 60_000);
        CompletableFuture<Boolean> first = confirm(lease);
        CompletableFuture<Boolean> second = confirm(lease);
        lease.releaseWithoutWaiting();
        assertThat(second).isCompletedWithValue(false);
        virtual.pass(ROUND_TRIP);
        assertThat(first).isCompletedWithValue(false);
    }

    @Test
    void aSilentBackendConfirmsNothingWithinTheCommandTimeout() {
        EngineLease lease = virtual.take("name", 60_000);
        virtual.port.answerAfter(3_600_000);
        CompletableFuture<Boolean> first = confirm(lease);
        virtual.pass(500);
        CompletableFuture<Boolean> second = confirm(lease);
        CompletableFuture<Boolean> extension = virtual.engine.extend("name", lease.hold(), Duration.ofHours(1));
        virtual.pass(1_499);
        assertThat(first).isNotDone();
        virtual.pass(2);
        assertThat(first).isCompletedWithValue(false);
        assertThat(second).isNotDone();
        virtual.pass(500);
        assertThat(second).isCompletedWithValue(false);
        assertThat(extension).isCompletedWithValue(false);
        assertThat(lease.isValid()).isTrue();
    }
}
