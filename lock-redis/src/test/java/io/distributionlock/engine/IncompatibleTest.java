package io.distributionlock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.LockOutcome;
import io.distributionlock.LockRequest;
import io.distributionlock.backend.CommandPort;
import io.distributionlock.model.ModelPort;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What a caller is told who asks for a permit where the name is a lock, or the other way round. */
class IncompatibleTest {

    private final VirtualEngine virtual = new VirtualEngine();
    private final CommandPort other = ModelPort.connect(virtual.backend, "other");

    @Test
    void whoHoldsTheLock() {
        other.acquire("name", "other:1", 60_000, false);
        assertThat(conflict(LockRequest.named("name").permits(3)))
                .isEqualTo("is requested with permits = 3, but other:1 holds it as a lock");
    }

    @Test
    void whoHoldsAPermit() {
        other.acquire("name", "other:p3-1", 60_000, false);
        assertThat(conflict(LockRequest.named("name")))
                .isEqualTo("is requested as a lock (REENTRANT), but other:p3-1 holds one of its 3 permits");
    }

    @Test
    void nobodyHoldsWhatIsOnlyKept() {
        other.acquire("name", "other:1", 60_000, false);
        other.release("name", "other:1", false, 60_000);
        assertThat(conflict(LockRequest.named("name").permits(3)))
                .isEqualTo("is requested with permits = 3, but the minimum holding time of other:1 keeps it as a lock");

        other.acquire("permits", "other:p3-1", 60_000, false);
        other.release("permits", "other:p3-1", false, 60_000);
        assertThat(conflict(LockRequest.named("permits")))
                .isEqualTo("is requested as a lock (REENTRANT), but the minimum holding time of other:p3-1 keeps"
                        + " one of its 3 permits");
    }

    private String conflict(LockRequest.Builder request) {
        CompletableFuture<LockOutcome> attempt = virtual.ask(request);
        virtual.pass(10);
        return ((LockOutcome.Incompatible) attempt.getNow(null)).conflict();
    }
}
