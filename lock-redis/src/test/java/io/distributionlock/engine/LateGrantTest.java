package io.distributionlock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import io.distributionlock.ReleaseResult;
import io.distributionlock.backend.EngineSettings;
import io.distributionlock.model.ModelBackend;
import io.distributionlock.model.ModelPort;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A message about a grant that arrives while its holder releases. */
class LateGrantTest {

    /** At each look at the clock, whichever step of the release that is in. */
    @Test
    void theHoldersOwnReleaseIsTheOneThatSucceeds() {
        for (int look = 1; look <= releaseWithLateGrant(Integer.MAX_VALUE); look++) {
            releaseWithLateGrant(look);
        }
    }

    /** @return how often the release looked at the clock */
    private static int releaseWithLateGrant(int look) {
        ModelBackend backend = new ModelBackend(() -> 0, 0, Runnable::run);
        int[] looks = {Integer.MIN_VALUE};
        LockEngine[] engine = {null};
        String[] claim = {""};
        engine[0] = new LockEngine(
                ModelPort.connect(backend, "host:a"),
                EngineSettings.standard("host:a"),
                () -> {
                    if (++looks[0] == look) {
                        engine[0].granted("name", claim[0]);
                    }
                    return 0;
                },
                Runnable::run);
        CompletableFuture<LockOutcome> attempt =
                engine[0].acquire(LockRequest.named("name").build(), LockOwner.unique());
        EngineLease lease = (EngineLease) ((LockOutcome.Acquired) attempt.join()).lease();
        claim[0] = backend.holders("name").get(0);
        looks[0] = 0;
        assertThat(engine[0].release("name", lease.hold()))
                .as("granted at look %d", look)
                .isCompletedWithValue(ReleaseResult.RELEASED);
        assertThat(backend.namesInUse()).isEmpty();
        return looks[0];
    }
}
