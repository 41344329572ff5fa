package io.distributionlock.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.distributionlock.LockBackendException;
import io.distributionlock.LockKind;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import io.distributionlock.ReleaseResult;
import io.distributionlock.backend.EngineSettings;
import io.distributionlock.model.ModelBackend;
import io.distributionlock.model.ModelPort;
import io.distributionlock.state.Times;
import io.distributionlock.testing.SilentLog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Something is thrown at each place where the engine calls what is not its own: locks that have nothing to do with it go on, and
 * nobody waits for ever. (E4)
 */
@ExtendWith(SilentLog.class)
class EngineFaultsTest {

    private static final Duration LONG = Duration.ofSeconds(20);
    private static final long LEASE = 3_000;
    private static final int OTHERS = 20;

    private static final List<Supplier<Throwable>> THROWN = List.of(
            () -> new IllegalStateException("on purpose"),
            () -> new OutOfMemoryError("on purpose"),
            () -> new StackOverflowError("on purpose"),
            () -> new NoClassDefFoundError("on/Purpose"));

    static Stream<Arguments> everyCallWithEverything() {
        return Stream.of(FaultyPort.Call.values())
                .flatMap(call -> THROWN.stream().map(what -> Arguments.of(call, what)));
    }

    static Stream<Supplier<Throwable>> everything() {
        return THROWN.stream();
    }

    /** What continues beside a lock whose commands fail: holders that renew, waiters with deadlines, and hand-overs. */
    private static final class Others {

        private final VirtualEngine virtual;
        private final LockEngine elsewhere;
        private final List<EngineLease> renewed = new ArrayList<>();
        private final List<CompletableFuture<LockOutcome>> limited = new ArrayList<>();
        private final List<CompletableFuture<LockOutcome>> patient = new ArrayList<>();

        Others(VirtualEngine virtual) {
            this.virtual = virtual;
            this.elsewhere = virtual.otherProcess("other");
            for (int i = 0; i < OTHERS; i++) {
                renewed.add(virtual.take("renewed" + i, LEASE));
                elsewhere.acquire(request("held" + i, 0), LockOwner.unique());
            }
        }

        void begin() {
            for (int i = 0; i < OTHERS; i++) {
                limited.add(virtual.askRenewed("held" + i, 1_100, LEASE));
                patient.add(virtual.askRenewed("renewed" + i, 60_000, LEASE));
            }
        }

        void expectToGoOn() {
            assertThat(limited)
                    .allSatisfy(attempt -> assertThat(attempt)
                            .isCompletedWithValueMatching(outcome -> outcome instanceof LockOutcome.Busy));
            assertThat(renewed).allSatisfy(lease -> assertThat(lease.isValid()).isTrue());
            assertThat(patient).noneSatisfy(attempt -> assertThat(attempt).isDone());
            List<CompletableFuture<ReleaseResult>> releases =
                    renewed.stream().map(EngineLease::releaseWithoutWaiting).toList();
            virtual.pass(200);
            assertThat(releases)
                    .allSatisfy(release -> assertThat(release).isCompletedWithValue(ReleaseResult.RELEASED));
            assertThat(patient)
                    .allSatisfy(attempt -> assertThat(attempt)
                            .isCompletedWithValueMatching(outcome -> outcome instanceof LockOutcome.Acquired));
        }
    }

    private static LockRequest request(String name, long waitMillis) {
        return LockRequest.named(name)
                .tryLockTime(Duration.ofMillis(waitMillis))
                .renewedLease(Duration.ofSeconds(60))
                .build();
    }

    @ParameterizedTest
    @MethodSource("everyCallWithEverything")
    void aCallThatThrowsForOneNameStopsNoOtherLock(FaultyPort.Call call, Supplier<Throwable> what) {
        stopsNoOtherLock(port -> port.fail((called, name) -> called == call && name.equals("bad"), what));
    }

    @ParameterizedTest
    @MethodSource("everyCallWithEverything")
    void aCallThatReturnsAFailedFutureStopsNoOtherLock(FaultyPort.Call call, Supplier<Throwable> what) {
        stopsNoOtherLock(port -> port.failAnswers((called, name) -> called == call && name.equals("bad"), what));
    }

    @ParameterizedTest
    @MethodSource("io.distributionlock.engine.FaultyPort$Call#values")
    void aCallThatReturnsNothingStopsNoOtherLock(FaultyPort.Call call) {
        stopsNoOtherLock(port -> port.answerNothing((called, name) -> called == call && name.equals("bad")));
    }

    private static void stopsNoOtherLock(Consumer<FaultyPort> fault) {
        VirtualEngine virtual = new VirtualEngine();
        Others others = new Others(virtual);
        EngineLease bad = virtual.take("bad", LEASE);
        others.begin();
        fault.accept(virtual.port);
        everybodyIsAnswered(virtual, bad);
        others.expectToGoOn();
    }

    /** Everything that can be asked of the lock whose commands fail has an end within its time. */
    private static void everybodyIsAnswered(VirtualEngine virtual, EngineLease bad) {
        List<CompletableFuture<?>> asked = new ArrayList<>();
        asked.add(virtual.askRenewed("bad", 1_100, LEASE));
        for (LockKind kind : List.of(LockKind.FAIR, LockKind.READ, LockKind.WRITE)) {
            for (int i = 0; i < 3; i++) {
                asked.add(virtual.ask(LockRequest.named("bad")
                        .kind(kind)
                        .tryLockTime(Duration.ofMillis(1_100))
                        .renewedLease(Duration.ofMillis(LEASE))));
            }
        }
        asked.add(virtual.ask(
                LockRequest.named("bad").tryLockTime(Duration.ZERO).renewedLease(Duration.ofMillis(LEASE))));
        asked.add(bad.confirmWithoutWaiting());
        asked.add(bad.extendWithoutWaiting(Duration.ofHours(1)));
        asked.add(virtual.engine.isLocked("bad"));
        asked.add(virtual.engine.inspect("bad"));
        asked.add(virtual.engine.forceRelease("free"));
        virtual.pass(1_500);
        asked.add(bad.releaseWithoutWaiting());
        virtual.pass(3_000);
        assertThat(asked).allSatisfy(future -> assertThat(future).isDone());
        assertThat(virtual.failedTicks).isZero();
    }

    @ParameterizedTest
    @MethodSource("everything")
    void withoutASubscriptionAttemptsFailAndHoldersGoOn(Supplier<Throwable> what) {
        VirtualEngine virtual = new VirtualEngine();
        EngineLease lease = virtual.take("held", LEASE);
        virtual.port.fail((call, name) -> call == FaultyPort.Call.LISTEN, what);
        CompletableFuture<LockOutcome> attempt = virtual.askRenewed("other", 5_000, LEASE);
        assertThat(attempt)
                .isCompletedWithValueMatching(
                        outcome -> outcome instanceof LockOutcome.BackendFailed failed && failed.cause() != null);
        virtual.pass(10_000);
        assertThat(lease.isValid()).isTrue();
        virtual.port.work();
        assertThat(virtual.take("other", LEASE).isValid()).isTrue();
    }

    /** A fair attempt asks for the pause between two heartbeats whether it is its turn. */
    @ParameterizedTest
    @MethodSource("everything")
    void anAttemptWhoseTicksFailEndsWhenItsTimeIsOver(Supplier<Throwable> what) {
        VirtualEngine virtual = new VirtualEngine();
        virtual.otherProcess("other").acquire(request("wanted", 0), LockOwner.unique());
        CompletableFuture<LockOutcome> attempt = virtual.ask(LockRequest.named("wanted")
                .kind(LockKind.FAIR)
                .tryLockTime(Duration.ofSeconds(10))
                .renewedLease(Duration.ofMillis(LEASE)));
        virtual.port.fail((call, name) -> call == FaultyPort.Call.POLL_MILLIS, what);
        virtual.pass(10_200);
        assertThat(attempt)
                .isCompletedWithValueMatching(outcome -> outcome instanceof LockOutcome.Busy busy
                        && busy.waited().toSeconds() == 10);
    }

    /** One renewal fails in the same tick in which another attempt times out. */
    @ParameterizedTest
    @MethodSource("everything")
    void anErrorOfARenewalKeepsNobodyWhoseTimeIsOverWaiting(Supplier<Throwable> what) {
        VirtualEngine virtual = new VirtualEngine();
        for (int i = 0; i < 100; i++) {
            virtual.take("held" + i, LEASE);
        }
        virtual.otherProcess("other").acquire(request("wanted", 0), LockOwner.unique());
        CompletableFuture<LockOutcome> attempt = virtual.askRenewed("wanted", 1_100, LEASE);
        virtual.port.fail((call, name) -> call == FaultyPort.Call.RENEW, what);
        virtual.pass(1_200);
        assertThat(attempt).isDone();
    }

    @ParameterizedTest
    @MethodSource("everything")
    void whoReleasesGetsAnAnswerWhenTheFirstCopyCouldNotBeSent(Supplier<Throwable> what) {
        VirtualEngine virtual = new VirtualEngine();
        EngineLease lease = virtual.take("name", LEASE);
        AtomicInteger calls = new AtomicInteger();
        virtual.port.fail((call, name) -> call == FaultyPort.Call.RELEASE && calls.getAndIncrement() < 3, what);
        CompletableFuture<ReleaseResult> release = lease.releaseWithoutWaiting();
        virtual.pass(1_000);
        assertThat(release).isCompletedWithValue(ReleaseResult.RELEASED);
        assertThat(virtual.backend.namesInUse()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("everything")
    void questionsAreAnsweredWithABackendExceptionWhateverTheCallThrows(Supplier<Throwable> what) {
        VirtualEngine virtual = new VirtualEngine();
        virtual.port.fail((call, name) -> true, what);
        Map<String, CompletableFuture<?>> questions = Map.of(
                "Checking", virtual.engine.isLocked("name"),
                "Inspecting", virtual.engine.inspect("name"),
                "Forced release of", virtual.engine.forceRelease("name"));
        questions.forEach((action, question) -> assertThatThrownBy(question::join)
                .cause()
                .isInstanceOf(LockBackendException.class)
                .hasMessageStartingWith(action + " lock 'name' failed after 0 ms: "));
    }

    // --- callbacks and dependants ---

    @ParameterizedTest
    @MethodSource("everything")
    void aListenerForWhichThereIsNoThreadKeepsNoOtherFromBeingTold(Supplier<Throwable> what) {
        AtomicInteger tasks = new AtomicInteger();
        VirtualEngine virtual = new VirtualEngine("me", task -> {
            if (tasks.getAndIncrement() == 0) {
                EngineFaultsTest.<RuntimeException>sneak(what.get());
            }
            task.run();
        });
        Others others = new Others(virtual);
        AtomicInteger told = new AtomicInteger();
        EngineLease lost = virtual.take("lost", LEASE);
        lost.onLost(lease -> told.incrementAndGet());
        lost.onLost(lease -> told.incrementAndGet());
        others.begin();
        virtual.backend.forceRelease("lost");
        virtual.pass(3_000);
        assertThat(lost.isValid()).isFalse();
        assertThat(told).hasValue(1);
        others.expectToGoOn();
    }

    @ParameterizedTest
    @MethodSource("everything")
    void aListenerThatThrowsKeepsNoOtherFromBeingTold(Supplier<Throwable> what) {
        VirtualEngine virtual = new VirtualEngine();
        Others others = new Others(virtual);
        AtomicInteger told = new AtomicInteger();
        EngineLease lost = virtual.take("lost", LEASE);
        lost.onLost(lease -> EngineFaultsTest.<RuntimeException>sneak(what.get()));
        lost.onLost(lease -> told.incrementAndGet());
        others.begin();
        virtual.backend.forceRelease("lost");
        virtual.pass(3_000);
        assertThat(told).hasValue(1);
        others.expectToGoOn();
    }

    @ParameterizedTest
    @MethodSource("everything")
    void whatDependsOnAFutureMayThrow(Supplier<Throwable> what) {
        VirtualEngine virtual = new VirtualEngine();
        Others others = new Others(virtual);
        virtual.otherProcess("third").acquire(request("wanted", 0), LockOwner.unique());
        for (int i = 0; i < 5; i++) {
            virtual.askRenewed("wanted", 1_100, LEASE)
                    .thenAccept(outcome -> EngineFaultsTest.<RuntimeException>sneak(what.get()));
            virtual.askRenewed("free" + i, 1_100, LEASE)
                    .thenAccept(outcome -> EngineFaultsTest.<RuntimeException>sneak(what.get()));
        }
        others.begin();
        virtual.pass(3_000);
        others.expectToGoOn();
    }

    // --- the engine's thread ---

    /** A clock is not the engine's own either, and it is what the thread asks where it sleeps. */
    @ParameterizedTest
    @MethodSource("everything")
    @Timeout(60)
    void theThreadOutlivesWhateverIsThrownWhereItSleeps(Supplier<Throwable> what) {
        ModelBackend backend = new ModelBackend();
        AtomicInteger failing = new AtomicInteger();
        LongSupplier clock = () -> {
            if (Thread.currentThread().getName().equals("distribution-lock-engine") && failing.getAndDecrement() > 0) {
                EngineFaultsTest.<RuntimeException>sneak(what.get());
            }
            return System.nanoTime();
        };
        LockEngine engine = LockEngine.start(ModelPort.connect(backend, "me"), EngineSettings.standard("me"), clock);
        try {
            assertItWakes(engine);
            failing.set(20);
            await().atMost(LONG).until(() -> failing.get() <= 0);
            assertItWakes(engine);
        } finally {
            engine.stop(Duration.ZERO);
        }
    }

    /** Nobody but the engine's thread tells a waiter that its time is over. */
    private static void assertItWakes(LockEngine engine) {
        EngineLease held = VirtualEngine.lease(engine.acquire(request("name", 0), LockOwner.unique()));
        assertThat(engine.acquire(request("name", 200), LockOwner.unique()))
                .succeedsWithin(LONG)
                .isInstanceOf(LockOutcome.Busy.class);
        held.release();
    }

    /** What depends on a future runs on the engine's thread, and may leave it interrupted: then it would never sleep again. */
    @Test
    @Timeout(60)
    void anInterruptDoesNotKeepTheThreadAwake() {
        ModelBackend backend = new ModelBackend();
        AtomicInteger looks = new AtomicInteger();
        LockEngine engine = LockEngine.start(ModelPort.connect(backend, "me"), EngineSettings.standard("me"), () -> {
            if (Thread.currentThread().getName().equals("distribution-lock-engine")) {
                looks.incrementAndGet();
            }
            return System.nanoTime();
        });
        LockEngine other = LockEngine.start(ModelPort.connect(backend, "other"), EngineSettings.standard("other"));
        try {
            other.acquire(request("name", 0), LockOwner.unique()).join();
            CompletableFuture<Void> interrupted = engine.acquire(request("name", 200), LockOwner.unique())
                    .thenAccept(outcome -> Thread.currentThread().interrupt());
            await().atMost(LONG).until(interrupted::isDone);
            int before = looks.get();
            LockSupport.parkNanos(Times.nanos(500));
            assertThat(looks.get() - before).isLessThan(1_000);
        } finally {
            engine.stop(Duration.ZERO);
            other.stop(Duration.ZERO);
        }
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> void sneak(Throwable e) throws E {
        throw (E) e;
    }
}
