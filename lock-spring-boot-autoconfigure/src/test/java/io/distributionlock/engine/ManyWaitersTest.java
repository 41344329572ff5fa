package io.distributionlock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.LockKind;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import io.distributionlock.backend.AcquireReply;
import io.distributionlock.backend.EngineSettings;
import io.distributionlock.state.AnswerTimeout;
import io.distributionlock.state.ClaimIdGenerator;
import io.distributionlock.state.Decision;
import io.distributionlock.state.Event;
import io.distributionlock.state.Hold;
import io.distributionlock.state.LockState;
import io.distributionlock.state.StateContext;
import io.distributionlock.state.Times;
import io.distributionlock.state.Waiter;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An event of one of many waiting attempts does not look at the others. */
class ManyWaitersTest {

    private static final EngineSettings SETTINGS = EngineSettings.standard("me");

    private static final int MANY = 8_000;

    /** What is due at the same moment is looked at together, each once. */
    private static final int LOOKS_PER_EVENT = 16;

    private final AnswerTimeout timeout = new AnswerTimeout(SETTINGS);
    private final LockState state =
            new LockState("name", new StateContext(SETTINGS, new ClaimIdGenerator("me"), timeout));
    private long now = Times.nanos(10_000);
    private final List<Decision> out = new ArrayList<>();
    private long events;

    private Waiter enter(LockKind kind, long waitMillis) {
        Waiter waiter = new Waiter(
                request(kind, waitMillis), LockOwner.unique(), new AcquireFuture(null, "name"), now, timeout);
        out.clear();
        state.on(new Event.Acquire(waiter), now, out);
        done();
        return waiter;
    }

    private static LockRequest request(LockKind kind, long waitMillis) {
        return requesting(kind, waitMillis).build();
    }

    private static LockRequest.Builder requesting(LockKind kind, long waitMillis) {
        return LockRequest.named("name")
                .kind(kind)
                .tryLockTime(Duration.ofMillis(waitMillis))
                .renewedLease(Duration.ofSeconds(60));
    }

    private void done() {
        events++;
        // What the stripe asks after every event.
        assertThat(state.due()).isPositive();
        assertThat(state.isIdle()).isFalse();
    }

    private void busy(Decision.SendAcquire sent) {
        state.on(new Event.AcquireAnswered(sent, new AcquireReply.Busy(60_000, 7)), now, out);
        done();
    }

    private void expectNoWalks() {
        assertThat(state.visits()).isLessThanOrEqualTo(LOOKS_PER_EVENT * events);
    }

    @ParameterizedTest
    @EnumSource(names = {"FAIR", "WRITE", "READ"})
    void toEnterToBeToldAndToLeaveTakesALookAtNobodyElse(LockKind kind) {
        List<Waiter> waiters = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            waiters.add(enter(kind, 60_000));
            busy((Decision.SendAcquire) out.get(0));
        }
        expectNoWalks();
        for (Waiter waiter : waiters.subList(1, MANY)) {
            assertThat(state.on(new Event.Cancel(waiter), now, out)).isTrue();
            done();
        }
        expectNoWalks();
    }

    @ParameterizedTest
    @EnumSource(names = {"FAIR", "READ"})
    void eachWhoseTimeIsOverIsLookedAtAlone(LockKind kind) {
        Random random = new Random(8);
        enter(kind, 3_600_000);
        for (int i = 0; i < MANY; i++) {
            enter(kind, 200 + random.nextInt(700));
            busy((Decision.SendAcquire) out.get(0));
        }
        int failed = 0;
        for (int millis = 0; millis < 990; millis++) {
            now += Times.nanos(1);
            if (state.due() <= now) {
                out.clear();
                state.on(new Event.Tick(), now, out);
                failed += (int)
                        out.stream().filter(Decision.Fail.class::isInstance).count();
                done();
            }
        }
        assertThat(failed).isEqualTo(MANY);
        events += MANY;
        expectNoWalks();
    }

    /** Many readers hold the lock together; some detach their holds, and others ask once. */
    @ParameterizedTest
    @EnumSource(names = {"READ"})
    void whoIsInsideIsFoundWithoutALookAtTheOthers(LockKind kind) {
        List<Hold> holds = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            enter(kind, 60_000);
            Decision.SendAcquire sent = (Decision.SendAcquire) out.get(0);
            out.clear();
            state.on(new Event.AcquireAnswered(sent, new AcquireReply.Ok(7 + i, 0)), now, out);
            done();
            Hold hold = ((Decision.Grant) out.get(0)).hold();
            holds.add(hold);
            if (i % 3 == 0) {
                state.on(new Event.Detach(hold), now, out);
            }
            enter(LockKind.WRITE, 0);
            assertThat(out).hasOnlyElementsOfType(Decision.Fail.class);
            assertThat(state.holdCount(hold.ownership.owner(), now)).isEqualTo(i % 3 == 0 ? 0 : 1);
            events++;
        }
        expectNoWalks();
        for (Hold hold : holds.subList(1, MANY)) {
            state.on(new Event.Release(hold, new CompletableFuture<>()), now, out);
            done();
        }
        expectNoWalks();
    }

    /** Bytes are a stable measure of work, unlike time. */
    @Test
    void toEnterAmongManyAllocatesNoMoreThanAmongFew() {
        long few = bytesToEnter(MANY / 8);
        long many = bytesToEnter(MANY);
        assertThat(many).isLessThan(2 * 8 * few);
    }

    private static long bytesToEnter(int waiters) {
        com.sun.management.ThreadMXBean threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        VirtualEngine process = new VirtualEngine();
        process.otherProcess("other").acquire(request(LockKind.WRITE, 60_000), LockOwner.unique());
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < waiters; i++) {
            process.ask(requesting(LockKind.FAIR, 60_000));
        }
        return threads.getCurrentThreadAllocatedBytes() - before;
    }
}
