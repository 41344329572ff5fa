package io.distributionlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.distributionlock.backend.AcquireReply;
import io.distributionlock.backend.CommandPort.Renewal;
import io.distributionlock.backend.ReleaseReply;
import io.distributionlock.backend.RenewReply;
import io.distributionlock.testing.RedisProcess;
import io.distributionlock.testing.TcpProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("server")
@Tag("boot4")
class RedisCommandPortTest {

    private static final long LEASE = 20_000;
    private static final Duration LONG = Duration.ofSeconds(20);

    /** What a call may take that only sends: less than any connect timeout, more than a machine may stand still. */
    private static final Duration AT_ONCE = Duration.ofSeconds(8);

    private final PortThreads threads = new PortThreads();
    private final RedisProcess redis = RedisProcess.start();

    @AfterEach
    void end() {
        redis.close();
        threads.assertNoneLeft();
    }

    static List<String> names() {
        return List.of(
                "plain",
                "{}",
                "}{",
                "a}b",
                "a{b}c",
                "100 %",
                "%7D",
                " blanks and\ttabs ",
                "line\nbreaks\r\nand more\n",
                "granted\nhost:a:1\nname",
                "订单:更新",
                "\uD83D\uDD12 lock",
                "quotes ' \" and \\ and \u0000",
                "600000 3000 30000 300000 channel\nother",
                "long".repeat(512),
                "单".repeat(20_000));
    }

    @ParameterizedTest(name = "{index}")
    @MethodSource("names")
    void anyNameIsALockOfItsOwnAndComesBackInItsMessage(String name) {
        try (TestProcess process = new TestProcess(redis.port(), "host:a")) {
            process.port.listen();
            await().atMost(LONG).until(() -> process.told.listening.get() > 0);
            process.acquireOk(name, "host:a:1", LEASE);
            for (String other : names()) {
                if (!other.equals(name)) {
                    assertThat(TestProcess.answer(process.port.isLocked(other)))
                            .as(other)
                            .isFalse();
                }
            }
            process.acquireBusy(name, "host:a:2", LEASE);
            process.release(name, "host:a:1");

            await().atMost(LONG)
                    .untilAsserted(() -> assertThat(process.told.granted)
                            .extracting(RecordingListener.Granted::name, RecordingListener.Granted::claim)
                            .containsExactly(org.assertj.core.groups.Tuple.tuple(name, "host:a:2")));
            assertThat(process.renew(name, "host:a:2", LEASE)).isEqualTo(new RenewReply(true, 0));
            assertThat(process.release(name, "host:a:2")).isEqualTo(ReleaseReply.RELEASED);
        }
    }

    @Test
    void scriptsThatRedisForgotAreSentAgain() {
        try (TestProcess process = new TestProcess(redis.port(), "host:a")) {
            for (int i = 0; i < 3; i++) {
                process.acquireOk("name", "host:a:" + i, LEASE);
                redis.command("SCRIPT", "FLUSH");
                assertThat(process.renew("name", "host:a:" + i, LEASE).held()).isTrue();
                redis.command("SCRIPT", "FLUSH");
                assertThat(process.release("name", "host:a:" + i)).isEqualTo(ReleaseReply.RELEASED);
                redis.command("SCRIPT", "FLUSH");
            }
            assertThat(redis.calls("eval")).isEqualTo(9);
        }
    }

    @Test
    void whatOneThreadSendsRunsInThatOrder() {
        try (TestProcess process = new TestProcess(redis.port(), "host:a")) {
            List<CompletableFuture<ReleaseReply>> released = new ArrayList<>();
            List<CompletableFuture<AcquireReply>> acquired = new ArrayList<>();
            // The connection is made while these are sent.
            for (int i = 0; i < 2_000; i++) {
                // While Redis learns the scripts a release may pass its acquire, which then holds a lock of its own
                // name.
                String name = i <= 1_000 ? "learning" : "name";
                acquired.add(process.port.acquire(name, "host:a:" + i, LEASE, true));
                released.add(process.port.release(name, "host:a:" + i, false, 0));
                if (i == 1_000) {
                    acquired.forEach(TestProcess::answer);
                    released.forEach(TestProcess::answer);
                }
            }
            int learning = 1_001;
            for (int i = learning; i < 2_000; i++) {
                assertThat(TestProcess.answer(released.get(i)))
                        .as("release %d", i)
                        .isEqualTo(ReleaseReply.RELEASED);
                assertThat(TestProcess.answer(acquired.get(i))).isInstanceOf(AcquireReply.Ok.class);
            }
        }
    }

    @Test
    void aThousandRenewalsTravelTogetherAndEachGetsItsOwnAnswer() {
        try (TestProcess process = new TestProcess(redis.port(), "host:a")) {
            List<Renewal> renewals = new ArrayList<>();
            List<CompletableFuture<AcquireReply>> acquired = new ArrayList<>();
            for (int i = 0; i < 1_000; i++) {
                if (i % 3 != 0) {
                    acquired.add(process.port.acquire("name" + i, "host:a:" + i, LEASE, false));
                }
                renewals.add(new Renewal("name" + i, "host:a:" + i, 90_000));
            }
            acquired.forEach(TestProcess::answer);

            for (int round = 0; round < 2; round++) { // in the first, Redis does not know the script
                List<CompletableFuture<RenewReply>> replies = process.port.renew(renewals);
                for (int i = 0; i < 1_000; i++) {
                    assertThat(TestProcess.answer(replies.get(i)).held())
                            .as("%d", i)
                            .isEqualTo(i % 3 != 0);
                }
            }
            assertThat((Long) Objects.requireNonNull(redis.command("PTTL", "distribution-lock:{name1}")))
                    .isGreaterThan(60_000);
        }
    }

    @Test
    void nothingIsConnectedBeforeTheFirstCommand() {
        long before = Long.parseLong(redis.info("clients", "connected_clients"));
        try (TestProcess process = new TestProcess(redis.port(), "host:a")) {
            assertThat(Long.parseLong(redis.info("clients", "connected_clients")))
                    .isEqualTo(before);
            process.acquireOk("name", "host:a:1", LEASE);
            assertThat(Long.parseLong(redis.info("clients", "connected_clients")))
                    .isEqualTo(before + 1);
        }
    }

    @Test
    void whileRedisIsDownCallsReturnAtOnceAndFailAndLaterOnesSucceed() {
        redis.kill();
        try (TestProcess process = new TestProcess(redis.port(), "host:a")) {
            CompletableFuture<AcquireReply> reply = atOnce(() -> process.port.acquire("name", "host:a:1", LEASE, true));
            assertThatThrownBy(() -> reply.get(60, TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .rootCause()
                    .hasMessageContaining("refused");

            redis.startAgain();

            assertThat(process.acquireOk("name", "host:a:2", LEASE).waiting()).isZero();
            assertThat(process.told.reconnected).hasValue(0);
        }
    }

    @Test
    void whileRedisIsMuteCallsReturnAtOnceAndWhatIsCancelledIsNotSent() {
        try (TcpProxy proxy = new TcpProxy(redis.port());
                TestProcess process = new TestProcess(proxy.port(), "host:a")) {
            proxy.stick(TcpProxy.Direction.values());
            CompletableFuture<AcquireReply> given =
                    atOnce(() -> process.port.acquire("given up", "host:a:1", LEASE, true));
            CompletableFuture<AcquireReply> kept = atOnce(() -> process.port.acquire("kept", "host:a:2", LEASE, true));
            List<CompletableFuture<RenewReply>> renewed =
                    atOnce(() -> process.port.renew(List.of(new Renewal("kept", "host:a:2", LEASE))));
            assertThat(given).isNotDone();
            given.cancel(false);
            proxy.flow();

            assertThat(TestProcess.answer(kept)).isInstanceOf(AcquireReply.Ok.class);
            assertThat(TestProcess.answer(renewed.get(0)).held()).isTrue();
            assertThat(redis.command("EXISTS", "distribution-lock:{given up}")).isEqualTo(0L);
        }
    }

    @Test
    void aServerThatWasRestartedIsFoundAgainAndTold() {
        try (TestProcess process = new TestProcess(redis.port(), "host:a")) {
            process.acquireOk("name", "host:a:1", LEASE);
            redis.kill();
            CompletableFuture<AcquireReply> pending =
                    atOnce(() -> process.port.acquire("pending", "host:a:2", LEASE, true));
            CompletableFuture<AcquireReply> given =
                    atOnce(() -> process.port.acquire("given up", "host:a:3", LEASE, true));
            given.cancel(false);
            redis.startAgain();

            await().atMost(LONG)
                    .untilAsserted(() -> assertThat(process.told.reconnected).hasValue(1));
            assertThat(process.renew("name", "host:a:1", LEASE).held()).isFalse();
            assertThat(TestProcess.answer(pending)).isInstanceOf(AcquireReply.Ok.class);
            assertThat(redis.command("EXISTS", "distribution-lock:{given up}")).isEqualTo(0L);
        }
    }

    @Test
    void aReconnectIsToldBeforeAnyAnswerIsReceived() {
        try (TcpProxy proxy = new TcpProxy(redis.port());
                TestProcess process = new TestProcess(proxy.port(), "host:a")) {
            process.acquireOk("warm", "host:a:0", LEASE);
            OptionalInt reconnectsAtAnswer = OptionalInt.empty();
            // A cut that arrives as a reset lets the first command that is under way fail; then another one is tried.
            for (int attempt = 0; attempt < 10 && reconnectsAtAnswer.isEmpty(); attempt++) {
                reconnectsAtAnswer = reconnectsAtAnswer(process, proxy, "name" + attempt);
            }
            assertThat(reconnectsAtAnswer).hasValue(1);
        }
    }

    private OptionalInt reconnectsAtAnswer(TestProcess process, TcpProxy proxy, String name) {
        int before = process.told.reconnected.get();
        proxy.stick(TcpProxy.Direction.TO_CLIENT);
        CompletableFuture<OptionalInt> reconnects = process.port
                .acquire(name, "host:a:" + name, LEASE, true)
                .handle((reply, failure) -> failure == null
                        ? OptionalInt.of(process.told.reconnected.get() - before)
                        : OptionalInt.empty());
        await().atMost(LONG)
                .until(() -> Objects.equals(redis.command("EXISTS", "distribution-lock:{" + name + "}"), 1L));
        proxy.cut();
        proxy.flow();
        return TestProcess.answer(reconnects);
    }

    /** While the connection is away, Lettuce holds some commands and the port others: they may pass each other, none is lost. */
    @Test
    void whatIsSentDuringADisconnectIsAnsweredAndWhatComesAfterIsInOrderAgain() {
        try (TcpProxy proxy = new TcpProxy(redis.port());
                TestProcess process = new TestProcess(proxy.port(), "host:a")) {
            process.acquireOk("during", "host:a:warm", LEASE);
            process.release("during", "host:a:warm");
            proxy.refuse(true);
            proxy.cut();
            List<CompletableFuture<AcquireReply>> acquired = new ArrayList<>();
            List<CompletableFuture<ReleaseReply>> released = new ArrayList<>();
            for (int i = 0; i < 250; i++) {
                acquired.add(process.port.acquire("during", "host:a:" + i, LEASE, true));
                released.add(process.port.release("during", "host:a:" + i, false, 0));
            }
            proxy.refuse(false);
            acquired.forEach(TestProcess::answer);
            released.forEach(TestProcess::answer);

            acquired.clear();
            released.clear();
            for (int i = 250; i < 500; i++) {
                acquired.add(process.port.acquire("after", "host:a:" + i, LEASE, true));
                released.add(process.port.release("after", "host:a:" + i, false, 0));
            }
            acquired.forEach(reply -> assertThat(TestProcess.answer(reply)).isInstanceOf(AcquireReply.Ok.class));
            released.forEach(reply -> assertThat(TestProcess.answer(reply)).isEqualTo(ReleaseReply.RELEASED));
        }
    }

    @Test
    void manyThreadsGetAllTheirAnswersWhileTheConnectionIsKilledAgainAndAgain() throws Exception {
        int threads = 8;
        ExecutorService callers = Executors.newFixedThreadPool(threads);
        AtomicBoolean enough = new AtomicBoolean();
        try (TestProcess process = new TestProcess(redis.port(), "host:a")) {
            process.acquireOk("connected", "host:a:0", LEASE);
            List<Future<Integer>> rounds = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                String name = "name" + i;
                rounds.add(callers.submit(() -> {
                    int round = 0;
                    while (!enough.get()) {
                        String claim = "host:a:" + name + round++;
                        // Lettuce lets a command fail that was under way, or sends it again; but it answers.
                        assertThat(settled(process.port.acquire(name, claim, LEASE, false)))
                                .isTrue();
                        assertThat(settled(process.port.release(name, claim, true, 0)))
                                .isTrue();
                    }
                    return round;
                }));
            }
            for (int kills = 1; kills <= 10; kills++) {
                int reconnects = process.told.reconnected.get();
                redis.command("CLIENT", "KILL", "TYPE", "normal");
                await().atMost(LONG).until(() -> process.told.reconnected.get() > reconnects);
            }
            enough.set(true);
            for (Future<Integer> round : rounds) {
                assertThat(round.get(30, TimeUnit.SECONDS)).isPositive();
            }
        } finally {
            enough.set(true);
            callers.shutdown();
        }
    }

    @Test
    void onlyTheConnectionOfTheCommandsCountsAsReconnected() {
        try (TestProcess process = new TestProcess(redis.port(), "host:a")) {
            process.acquireOk("name", "host:a:1", LEASE);
            process.port.listen();
            await().atMost(LONG)
                    .untilAsserted(() -> assertThat(process.told.listening).hasValue(1));

            redis.command("CLIENT", "KILL", "TYPE", "pubsub");
            await().atMost(LONG)
                    .untilAsserted(() -> assertThat(process.told.listening).hasValue(2));
            assertThat(process.told.reconnected).hasValue(0);

            redis.command("CLIENT", "KILL", "TYPE", "normal");
            await().atMost(LONG)
                    .untilAsserted(() -> assertThat(process.told.reconnected).hasValue(1));
            assertThat(process.told.listening).hasValue(2);
        }
    }

    @Test
    void aFactoryThatWasRestartedIsConnectedToAgain() {
        try (TestProcess process = new TestProcess(redis.port(), "host:a")) {
            process.acquireOk("name", "host:a:1", LEASE);
            process.factory.stop();
            CompletableFuture<AcquireReply> meanwhile =
                    atOnce(() -> process.port.acquire("name", "host:a:2", LEASE, true));
            assertThatThrownBy(() -> meanwhile.get(60, TimeUnit.SECONDS))
                    .hasMessageContaining("LettuceConnectionFactory");
            process.factory.start();

            assertThat(process.renew("name", "host:a:1", LEASE).held()).isTrue();
            assertThat(process.told.reconnected).hasValue(1);

            redis.command("CLIENT", "KILL", "TYPE", "normal");
            await().atMost(LONG)
                    .untilAsserted(() -> assertThat(process.told.reconnected).hasValue(2));
        }
    }

    @Test
    void aFactoryThatDoesNotShareItsConnectionWillDo() {
        try (TestProcess process = new TestProcess(redis.port(), "host:a")) {
            process.factory.setShareNativeConnection(false);
            process.acquireOk("name", "host:a:1", LEASE);
            assertThat(process.release("name", "host:a:1")).isEqualTo(ReleaseReply.RELEASED);
            redis.command("CLIENT", "KILL", "TYPE", "normal");
            await().atMost(LONG)
                    .untilAsserted(() -> assertThat(process.told.reconnected).hasValue(1));
            process.acquireOk("name", "host:a:2", LEASE);
        }
    }

    @Test
    void whatRedisRefusesIsSaidByTheFuture() {
        try (TestProcess process = new TestProcess(redis.port(), "host:a")) {
            redis.command("ACL", "SETUSER", "default", "-evalsha", "-eval");
            CompletableFuture<AcquireReply> reply = process.port.acquire("name", "host:a:1", LEASE, true);
            assertThatThrownBy(() -> reply.get(60, TimeUnit.SECONDS)).hasMessageContaining("NOPERM");

            redis.command("ACL", "SETUSER", "default", "+@all");
            redis.command("SET", "distribution-lock:{wrong}", "x");
            redis.command("HSET", "distribution-lock:{wrong}:queue", "not", "a queue");
            CompletableFuture<AcquireReply> wrong = process.port.acquire("wrong", "host:a:1", LEASE, true);
            assertThatThrownBy(() -> wrong.get(60, TimeUnit.SECONDS)).hasMessageContaining("WRONGTYPE");
        }
    }

    @Test
    void afterClosingEveryCallFailsAndClosingAgainDoesNothing() {
        TestProcess process = new TestProcess(redis.port(), "host:a");
        process.acquireOk("name", "host:a:1", LEASE);
        process.port.listen();
        process.port.close();
        process.port.close();

        assertThat(process.port.acquire("name", "host:a:2", LEASE, true))
                .failsWithin(AT_ONCE)
                .withThrowableThat()
                .withMessageContaining("closed");
        assertThat(process.port
                        .renew(List.of(new Renewal("name", "host:a:1", LEASE)))
                        .get(0))
                .failsWithin(AT_ONCE);
        process.port.listen();
        process.close();
    }

    @Test
    void closingFailsWhatWaitsForAConnection() {
        redis.pause();
        TestProcess process = new TestProcess(redis.port(), "host:a");
        CompletableFuture<AcquireReply> reply = atOnce(() -> process.port.acquire("name", "host:a:1", LEASE, true));
        process.port.close();
        assertThat(reply).failsWithin(AT_ONCE);
        redis.kill();
        process.close();
    }

    private static boolean settled(CompletableFuture<?> future) throws InterruptedException {
        try {
            future.get(60, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            return true;
        } catch (TimeoutException e) {
            return false;
        }
        return true;
    }

    private static <T> T atOnce(java.util.function.Supplier<T> call) {
        long start = System.nanoTime();
        T result = call.get();
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(AT_ONCE);
        return result;
    }
}
