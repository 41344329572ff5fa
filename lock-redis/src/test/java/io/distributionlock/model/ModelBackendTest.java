package io.distributionlock.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;

import io.distributionlock.backend.AcquireReply;
import io.distributionlock.backend.CommandListener;
import io.distributionlock.backend.CommandPort;
import io.distributionlock.backend.ReleaseReply;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What the model has beyond the rules of the protocol, in which {@code ScriptsAndMemoryTest} compares it with the scripts. */
class ModelBackendTest {

    private static final String NAME = "order:1";
    private static final long START_MICROS = 1_000_000;

    private final AtomicLong nanos = new AtomicLong(-5_000_000_000L);
    private final ModelBackend backend = new ModelBackend(nanos::get, START_MICROS, Runnable::run);

    @Test
    void anAbandonedQueueIsForgotten() {
        backend.acquire(NAME, "a:1", 500, false);
        backend.acquire(NAME, "b:1", 500, true);
        passMillis(29_999);
        assertThat(backend.namesInUse()).containsExactly(NAME);
        passMillis(1);
        assertThat(backend.namesInUse()).isEmpty();
    }

    @Test
    void aReleaseThatChangesNothingAdmitsNobody() {
        backend.acquire(NAME, "a:1", 500, false);
        backend.acquire(NAME, "b:1", 500, true);
        passMillis(500);
        assertThat(backend.release(NAME, "b:2", false, 0)).isEqualTo(ReleaseReply.NOT_MINE);
        assertThat(backend.holders(NAME)).isEmpty();
        assertThat(backend.waiters(NAME)).containsExactly("b:1");
    }

    @Test
    void aKeptLockBelongsToNobodyUntilItsTimeIsOver() {
        backend.acquire(NAME, "a:1", 60_000, false);
        assertThat(backend.release(NAME, "a:1", false, 400)).isEqualTo(ReleaseReply.RELEASED);
        assertThat(backend.release(NAME, "a:1", false, 0)).isEqualTo(ReleaseReply.NOT_MINE);
        assertThat(backend.acquire(NAME, "a:1", 500, false)).isEqualTo(new AcquireReply.Busy(400, START_MICROS));
        passMillis(400);
        assertThat(backend.acquire(NAME, "a:2", 500, false)).isInstanceOf(AcquireReply.Ok.class);
    }

    @Test
    void fencingNumbersGrowWithoutTimeAndAcrossForgottenNames() {
        assertThat(backend.acquire(NAME, "a:1", 500, false)).isEqualTo(new AcquireReply.Ok(START_MICROS, 0));
        backend.release(NAME, "a:1", false, 0);
        assertThat(backend.acquire(NAME, "a:2", 500, false)).isEqualTo(new AcquireReply.Ok(START_MICROS + 1, 0));
        backend.forgetEverything();
        assertThat(backend.acquire(NAME, "b:1", 500, false)).isEqualTo(new AcquireReply.Ok(START_MICROS + 2, 0));
    }

    @Test
    void namesThatNobodyReleasedDoNotFillTheMemory() {
        for (int i = 0; i < 10_000; i++) {
            backend.acquire("abandoned:" + i, "a:" + i, 100, false);
            passMillis(1);
        }
        assertThat(backend.rememberedNames()).isLessThanOrEqualTo(1_024);
        assertThat(backend.namesInUse()).hasSize(99);
    }

    @Test
    void aClosedProcessHearsNothingAndCannotAsk() {
        CommandListener told = mock(CommandListener.class);
        CommandPort port = ModelPort.connect(backend, "b");
        port.attach(told);
        port.listen();
        backend.acquire(NAME, "a:1", 500, false);
        backend.acquire(NAME, "b:1", 500, true);
        port.close();
        backend.release(NAME, "a:1", false, 0);
        verify(told, never()).granted(any(), any());
        assertThat(port.isLocked(NAME)).isCompletedExceptionally();
        assertThat(ModelPort.connect(backend, "b")).isNotNull();
    }

    @Test
    void twoProcessesCannotShareAName() {
        ModelPort.connect(backend, "a");
        assertThatIllegalStateException()
                .isThrownBy(() -> ModelPort.connect(backend, "a"))
                .withMessageContaining("'a'")
                .withMessageContaining("its own instance name");
    }

    private void passMillis(long millis) {
        nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
    }
}
