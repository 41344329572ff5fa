package io.distributionlock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.LockKind;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import io.distributionlock.backend.AcquireReply;
import io.distributionlock.backend.EngineSettings;
import io.distributionlock.state.AnswerTimeout;
import io.distributionlock.state.Claim;
import io.distributionlock.state.ClaimIdGenerator;
import io.distributionlock.state.Decision;
import io.distributionlock.state.Event;
import io.distributionlock.state.FastPathGate;
import io.distributionlock.state.LockState;
import io.distributionlock.state.StateContext;
import io.distributionlock.state.Times;
import io.distributionlock.state.Waiter;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Very many single attempts of one process for one lock. Bytes are a stable measure of work, unlike time. */
class ManyWaitersTest {

    private static final EngineSettings SETTINGS = EngineSettings.standard("me");

    private static final int MANY = 8_000;

    private final com.sun.management.ThreadMXBean threads =
            (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final AnswerTimeout timeout = new AnswerTimeout(SETTINGS);
    private final LockState state = new LockState(
            "name",
            new StateContext(SETTINGS, new ClaimIdGenerator("me"), timeout, new FastPathGate(() -> false), () -> 0));
    private long now = Times.nanos(10_000);
    private final List<Decision> out = new ArrayList<>();
    private Waiter latest;

    private Decision.SendAcquire enter(LockKind kind, long waitMillis) {
        Waiter waiter = new Waiter(
                requesting(kind, waitMillis).build(),
                LockOwner.unique(),
                new AcquireFuture(null, "name"),
                now,
                timeout);
        latest = waiter;
        out.clear();
        state.on(new Event.Acquire(waiter), now, out);
        return (Decision.SendAcquire) out.get(0);
    }

    private static LockRequest.Builder requesting(LockKind kind, long waitMillis) {
        return LockRequest.named("name")
                .kind(kind)
                .tryLockTime(Duration.ofMillis(waitMillis))
                .renewedLease(Duration.ofSeconds(60));
    }

    private void busy(Decision.SendAcquire sent) {
        state.on(new Event.AcquireAnswered(sent, new AcquireReply.Busy(60_000, 7)), now, out);
    }

    @ParameterizedTest
    @EnumSource(names = {"FAIR", "WRITE", "READ"})
    void anAnswerToOneOfManyAllocatesNoMoreThanToOneOfFew(LockKind kind) {
        long few = bytesToAnswer(kind, MANY / 8);
        long many = bytesToAnswer(kind, MANY / 8 * 7);
        assertThat(many).isLessThan(2 * 7 * few);
    }

    private long bytesToAnswer(LockKind kind, int attempts) {
        List<Decision.SendAcquire> sent = new ArrayList<>();
        for (int i = 0; i < attempts; i++) {
            sent.add(enter(kind, 60_000));
        }
        long before = threads.getCurrentThreadAllocatedBytes();
        sent.forEach(this::busy);
        return threads.getCurrentThreadAllocatedBytes() - before;
    }

    @ParameterizedTest
    @EnumSource(names = {"FAIR", "READ"})
    void eachFailsWhenItsTimeIsOver(LockKind kind) {
        Random random = new Random(8);
        busy(enter(kind, 3_600_000));
        int[] dueBy = new int[901];
        for (int i = 0; i < MANY; i++) {
            int millis = 200 + random.nextInt(700);
            busy(enter(kind, millis));
            dueBy[millis]++;
        }
        for (int millis = 1; millis <= 900; millis++) {
            now += Times.nanos(1);
            out.clear();
            if (state.due() <= now) {
                state.on(new Event.Tick(), now, out);
            }
            assertThat(out.stream().filter(Decision.Fail.class::isInstance)).hasSize(dueBy[millis]);
        }
        assertThat(state.isIdle()).isFalse();
    }

    @Test
    void toEnterAmongManyAllocatesNoMoreThanAmongFew() {
        long few = bytesToEnter(MANY / 8);
        long many = bytesToEnter(MANY);
        assertThat(many).isLessThan(2 * 8 * few);
    }

    private long bytesToEnter(int waiters) {
        VirtualEngine process = new VirtualEngine();
        process.otherProcess("other").acquire(requesting(LockKind.WRITE, 60_000).build(), LockOwner.unique());
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < waiters; i++) {
            process.ask(requesting(LockKind.FAIR, 60_000));
        }
        return threads.getCurrentThreadAllocatedBytes() - before;
    }

    /** Time of the processor, which other processes do not take; an attempt that looked at all others would take a hundred times as long. */
    @ParameterizedTest
    @EnumSource(names = {"FAIR", "READ"})
    void toEnterAmongManyTakesNotMuchLongerThanAmongFew(LockKind kind) {
        long few = nanosToEnter(kind, MANY / 2);
        long many = nanosToEnter(kind, MANY * 5);
        assertThat(many).isLessThan(4 * 10 * few);
    }

    private long nanosToEnter(LockKind kind, int attempts) {
        long before = threads.getCurrentThreadCpuTime();
        for (int i = 0; i < attempts; i++) {
            enter(kind, 60_000);
        }
        return threads.getCurrentThreadCpuTime() - before;
    }

    @Test
    void aHeartbeatOfSomeOfManyAllocatesNoMoreThanOfSomeOfFew() {
        long few = bytesOfHeartbeats(MANY / 8);
        long many = bytesOfHeartbeats(MANY);
        assertThat(many).isLessThan(2 * 8 * few);
    }

    /** Ticks as often as some are due, until all have had a heartbeat. */
    private long bytesOfHeartbeats(int waiters) {
        for (int i = 0; i < waiters; i++) {
            busy(enter(LockKind.FAIR, 3_600_000));
        }
        out.clear();
        long before = threads.getCurrentThreadAllocatedBytes();
        for (long end = now + SETTINGS.heartbeatNanos(); state.due() <= end; ) {
            now = state.due();
            state.on(new Event.Tick(), now, out);
        }
        return threads.getCurrentThreadAllocatedBytes() - before;
    }

    @Test
    void veryManyTakeTurnsAndOnlyTheFirstAskAtEachHeartbeat() {
        List<Waiter> waiters = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            Decision.SendAcquire sent = enter(LockKind.FAIR, 3_600_000);
            waiters.add(latest);
            busy(sent);
        }
        askedDuringAHeartbeat();
        Set<Claim> asked = new HashSet<>();
        Claim first = null;
        for (int heartbeat = 0; heartbeat < MANY / 1_000 + 1; heartbeat++) {
            List<Claim> now = askedDuringAHeartbeat();
            assertThat(now).hasSizeBetween(100, 1_500);
            first = first == null ? Collections.min(now, Comparator.comparingLong(Claim::number)) : first;
            assertThat(now).contains(first);
            asked.addAll(now);
        }
        assertThat(asked).hasSize(MANY);

        // Those that are left ask soon, so that their process counts as alive, and from then on at each heartbeat.
        waiters.subList(0, MANY - 10).forEach(gone -> state.on(new Event.Cancel(gone), now, out));
        assertThat(askedDuringAHeartbeat()).isNotEmpty();
        for (int heartbeat = 0; heartbeat < 5; heartbeat++) {
            assertThat(askedDuringAHeartbeat()).hasSize(10);
        }
    }

    private List<Claim> askedDuringAHeartbeat() {
        List<Claim> asked = new ArrayList<>();
        for (long end = now + SETTINGS.heartbeatNanos(); state.due() <= end; ) {
            now = state.due();
            out.clear();
            state.on(new Event.Tick(), now, out);
            for (Decision decision : List.copyOf(out)) {
                if (decision instanceof Decision.SendAcquire sent) {
                    asked.add(sent.claim());
                    busy(sent);
                }
            }
        }
        return asked;
    }
}
