package io.distributionlock.docs;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributionlock.LockKind;
import io.distributionlock.LockNotAcquiredException;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.DistributionLockParam;
import io.distributionlock.annotation.RefuseRepeats;
import io.distributionlock.autoconfigure.LockExecutors;
import io.distributionlock.leader.LeaderElection;
import io.distributionlock.redis.RedisLockExecutor;
import io.distributionlock.testing.LockContextRunner;
import io.distributionlock.testing.RedisProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/**
 * What the page on upgrades says of each change is what happens: an application as it was and one with the change run side by side,
 * with one Redis. A row without a trial fails, and so does a trial without a row.
 */
class UpgradingPageTest {

    private static final Page PAGE = Page.of("docs/upgrading.md");

    private static final String TWO_AT_ONCE = "**two at once**";
    private static final String CALLS_FAIL = "**calls fail**";
    private static final String SAFE = "safe";

    private static final String ORDER = "A1001";

    /** A waiting call that nobody tells would wait for 30 s. */
    private static final Duration LESS_THAN_THE_WAIT = Duration.ofSeconds(20);

    @AutoClose
    private static final RedisProcess redis = RedisProcess.start();

    /** What happens in the end is what the second cell of the row says. */
    interface Trial {
        String result();
    }

    private static Map<String, Trial> trials() {
        return Map.ofEntries(
                entry(
                        "the key prefix",
                        () -> besidePlain(plain().withPropertyValues("distribution-lock.redis.key-prefix=other"))),
                entry("the Redis server, its database, or the executor", UpgradingPageTest::anotherPlace),
                entry("the servers of a quorum, even some", UpgradingPageTest::otherServersOfAQuorum),
                entry(
                        "the name: `key`, `delimiter`, which parameters are marked, or the type, components or `toString()` of a"
                                + " marked value",
                        UpgradingPageTest::anotherName),
                entry("the name of a leader election", UpgradingPageTest::anotherElection),
                entry("a method gets its first lock", () -> besidePlain(application(Unlocked.class))),
                entry("`condition` or `distribution-lock.enabled`", UpgradingPageTest::lessLocking),
                entry("a lock becomes permits, or permits a lock", UpgradingPageTest::aLockBecomesPermits),
                entry("the number of permits", UpgradingPageTest::anotherNumberOfPermits),
                entry("between `REENTRANT` and `WRITE`", () -> besidePlain(application(Writing.class))),
                entry("to `FAIR`, or from it", UpgradingPageTest::fair),
                entry("to `READ`, or from it", UpgradingPageTest::reading),
                entry(
                        "the waiting time, the lease, or a fixed hold time",
                        () -> common(anotherWaitingTime(), anotherLease())),
                entry(
                        "a new `minHoldTime`, or `@RefuseRepeats` in place of `tryLockTime = 0`",
                        UpgradingPageTest::minimum),
                entry("how messages travel (`distribution-lock.redis.messages`)", UpgradingPageTest::otherMessages),
                entry(
                        "the client: Lettuce or Jedis",
                        () -> besidePlain(plain().withPropertyValues("spring.data.redis.client-type=jedis"))));
    }

    static List<List<String>> rows() {
        return PAGE.lines().stream()
                .filter(line -> line.startsWith("| "))
                .map(Page::cells)
                .skip(1)
                .toList();
    }

    @Test
    void everyRowIsTriedAndEveryTrialHasItsRow() {
        assertThat(rows()).extracting(row -> row.get(0)).containsExactlyInAnyOrderElementsOf(trials().keySet());
    }

    @ParameterizedTest
    @MethodSource("rows")
    void oldAndNewBesideEachOther(List<String> row) {
        assertThat(trials().get(row.get(0)).result()).as(row.get(0)).isEqualTo(row.get(1));
    }

    @Test
    void aNameIsChangedInTwoSteps() {
        assertThat(between(plain(), application(BothNames.class))).isEqualTo(SAFE);
        assertThat(between(application(BothNames.class), application(Renamed.class)))
                .isEqualTo(SAFE);
        assertThat(between(plain(), application(Renamed.class))).isEqualTo(TWO_AT_ONCE);
    }

    @Test
    void permitsUnderANewNameReplaceALockInTwoSteps() {
        assertThat(between(plain(), application(LockAndPermits.class))).isEqualTo(SAFE);
        between(application(LockAndPermits.class), application(NewPermits.class), (before, after) -> {
            assertThat(whileAtWork(before, after)).isEqualTo(Answer.RAN);
            assertThat(whileAtWork(after, before)).isEqualTo(Answer.RAN);
            assertThat(whileAtWork(before, after, after, after)).isEqualTo(Answer.BUSY);
        });
    }

    @Test
    void bothStartersBringTheSameJar() throws IOException {
        for (String starter : List.of("lock-spring-boot-starter", "lock-spring-boot4-starter")) {
            assertThat(Files.readString(Page.project().resolve(starter).resolve("pom.xml")))
                    .contains("<artifactId>lock-spring-boot-autoconfigure</artifactId>");
        }
    }

    // The versions of an application: each locks an order in its way.

    static class Unlocked {
        public void update(String code, Runnable work) {
            work.run();
        }
    }

    @DistributionLock(key = "order:#{#code}")
    static class Plain extends Unlocked {}

    @DistributionLock(key = "sales-order:#{#code}")
    static class Renamed extends Unlocked {}

    @DistributionLock(key = "order:#{#code}")
    @DistributionLock(key = "sales-order:#{#code}")
    static class BothNames extends Unlocked {}

    static class Marked extends Unlocked {
        @Override
        @DistributionLock(key = "order:#{#code}")
        public void update(@DistributionLockParam String code, Runnable work) {
            work.run();
        }
    }

    static class Delimited extends Unlocked {
        @Override
        @DistributionLock(key = "order", delimiter = "/")
        public void update(@DistributionLockParam String code, Runnable work) {
            work.run();
        }
    }

    @DistributionLock(key = "order:#{#code}", condition = "#code.startsWith('B')")
    static class Conditional extends Unlocked {}

    @DistributionLock(key = "order:#{#code}", kind = LockKind.FAIR)
    static class Fair extends Unlocked {}

    @DistributionLock(key = "order:#{#code}", kind = LockKind.WRITE)
    static class Writing extends Unlocked {}

    @DistributionLock(key = "order:#{#code}", kind = LockKind.READ)
    static class Reading extends Unlocked {}

    @DistributionLock(key = "order:#{#code}", permitsString = "${permits}")
    static class Permitted extends Unlocked {}

    @DistributionLock(key = "order:#{#code}")
    @DistributionLock(key = "sales-order:#{#code}", permits = 3)
    static class LockAndPermits extends Unlocked {}

    @DistributionLock(key = "sales-order:#{#code}", permits = 3)
    static class NewPermits extends Unlocked {}

    @DistributionLock(key = "order:#{#code}", holdLockTimeString = "${hold}")
    static class Fixed extends Unlocked {}

    @DistributionLock(key = "order:#{#code}", minHoldTimeString = "1m")
    static class Lasting extends Unlocked {}

    static class Once extends Unlocked {
        @Override
        @RefuseRepeats(key = "order:#{#code}", within = "1m")
        public void update(String code, Runnable work) {
            work.run();
        }
    }

    @DistributionLock(key = "order:#{#code}", executor = "elsewhere")
    @Import(Other.class)
    static class Elsewhere extends Unlocked {}

    static class Other {

        @Bean(defaultCandidate = false)
        static RedisLockExecutor elsewhere(LockExecutors executors, @Value("${other.port}") int port) {
            return executors.redis("redis://127.0.0.1:" + port);
        }
    }

    private static ApplicationContextRunner plain() {
        return application(Plain.class);
    }

    /** A call makes a single attempt, unless its annotation says otherwise. */
    private static ApplicationContextRunner application(Class<? extends Unlocked> version) {
        return LockContextRunner.redis(redis.port())
                .withUserConfiguration(version)
                .withPropertyValues(
                        "distribution-lock.defaults.try-lock-time=0s", "distribution-lock.quorum.node-timeout=10s");
    }

    private static ApplicationContextRunner patient(Class<? extends Unlocked> version) {
        return application(version).withPropertyValues("distribution-lock.defaults.try-lock-time=30s");
    }

    // The trials.

    private static String anotherPlace() {
        try (RedisProcess other = RedisProcess.start()) {
            return common(
                    besidePlain(plain().withPropertyValues("spring.data.redis.port=" + other.port())),
                    besidePlain(plain().withPropertyValues("spring.data.redis.database=1")),
                    besidePlain(application(Elsewhere.class).withPropertyValues("other.port=" + other.port())));
        }
    }

    /** One of three servers stays, and each side has a majority without it. */
    private static String otherServersOfAQuorum() {
        List<RedisProcess> servers =
                Stream.generate(() -> RedisProcess.start()).limit(5).toList();
        try {
            return between(quorum(servers.subList(0, 3)), quorum(servers.subList(2, 5)));
        } finally {
            servers.forEach(RedisProcess::close);
        }
    }

    private static ApplicationContextRunner quorum(List<RedisProcess> servers) {
        String nodes = servers.stream()
                .map(server -> "redis://127.0.0.1:" + server.port())
                .collect(Collectors.joining(","));
        return plain().withPropertyValues(
                        "distribution-lock.executor=quorum", "distribution-lock.quorum.nodes=" + nodes);
    }

    private static String anotherName() {
        return common(
                besidePlain(application(Renamed.class)),
                besidePlain(application(Delimited.class)),
                besidePlain(application(Marked.class)));
    }

    private static String anotherElection() {
        List<Boolean> leads = new ArrayList<>();
        electing("outbox")
                .run(before -> electing("dispatch").run(after -> {
                    LeaderElection old = before.getBean(LeaderElection.class);
                    LeaderElection changed = after.getBean(LeaderElection.class);
                    await().atMost(Duration.ofSeconds(60)).until(() -> old.isLeader() && changed.isLeader());
                    leads.addAll(List.of(old.isLeader(), changed.isLeader()));
                }));
        return leads.equals(List.of(true, true)) ? TWO_AT_ONCE : SAFE;
    }

    private static ApplicationContextRunner electing(String name) {
        return plain().withPropertyValues("distribution-lock.leader.elections=" + name);
    }

    private static String lessLocking() {
        return common(
                besidePlain(application(Conditional.class)),
                besidePlain(plain().withPropertyValues("distribution-lock.enabled=false")));
    }

    /** A waiting time makes no difference, and nothing fails when the other side is not inside. */
    private static String aLockBecomesPermits() {
        between(patient(Plain.class), patient(Permitted.class).withPropertyValues("permits=3"), (before, after) -> {
            assertThat(whileAtWork(before, after)).isEqualTo(Answer.INCOMPATIBLE);
            assertThat(whileAtWork(after, before)).isEqualTo(Answer.INCOMPATIBLE);
            assertThat(whileAtWork(before)).isEqualTo(Answer.RAN);
            assertThat(whileAtWork(after)).isEqualTo(Answer.RAN);
        });
        return between(permitted(3), plain());
    }

    private static String anotherNumberOfPermits() {
        between(permitted(2), permitted(3), (two, three) -> {
            assertThat(whileAtWork(two, two, three)).isEqualTo(Answer.RAN);
            assertThat(whileAtWork(two, three, two)).isEqualTo(Answer.BUSY);
            assertThat(whileAtWork(two, two, three, three)).isEqualTo(Answer.BUSY);
        });
        return SAFE;
    }

    private static ApplicationContextRunner permitted(int number) {
        return application(Permitted.class).withPropertyValues("permits=" + number);
    }

    /** As many threads of each version want the lock all the time. */
    private static String fair() {
        between(patient(Plain.class), patient(Fair.class), (before, after) -> {
            AtomicInteger plainTurns = new AtomicInteger();
            AtomicInteger fairTurns = new AtomicInteger();
            CountDownLatch turns = new CountDownLatch(60);
            ExecutorService threads = Executors.newFixedThreadPool(8);
            try {
                for (int i = 0; i < 4; i++) {
                    threads.execute(() -> takeTurns(before, plainTurns, turns));
                    threads.execute(() -> takeTurns(after, fairTurns, turns));
                }
                assertThat(turns.await(60, TimeUnit.SECONDS)).isTrue();
            } finally {
                threads.shutdown();
            }
            assertThat(threads.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
            assertThat(plainTurns).hasPositiveValue();
            assertThat(plainTurns.get()).isLessThan(fairTurns.get() / 2);
        });
        return besidePlain(application(Fair.class));
    }

    private static void takeTurns(Unlocked orders, AtomicInteger taken, CountDownLatch turns) {
        while (turns.getCount() > 0) {
            orders.update(ORDER, () -> {
                taken.incrementAndGet();
                turns.countDown();
                pause(20);
            });
        }
    }

    private static String reading() {
        between(
                plain(),
                application(Reading.class),
                (before, after) -> assertThat(whileAtWork(after, after)).isEqualTo(Answer.RAN));
        return besidePlain(application(Reading.class));
    }

    private static String anotherWaitingTime() {
        between(plain(), patient(Plain.class), (before, after) -> {
            assertThat(whileAtWork(before, before)).isEqualTo(Answer.BUSY);
            assertThat(timeToHandOver(before, after)).isPositive();
        });
        return SAFE;
    }

    /** A lease of 60 s does not matter to one of 1.5 s, nor the other way round. */
    private static String anotherLease() {
        between(patient(Plain.class), fixed("1500ms"), (before, after) -> {
            assertThat(whileAtWork(after, before)).isEqualTo(Answer.RAN);
            assertThat(ask(before, () -> {
                        pause(1_600);
                        assertThat(ask(after, () -> {})).isEqualTo(Answer.BUSY);
                    }))
                    .isEqualTo(Answer.RAN);
        });
        return common(
                besidePlain(fixed("30s")),
                besidePlain(plain().withPropertyValues("distribution-lock.defaults.lease-time=5s")));
    }

    private static ApplicationContextRunner fixed(String hold) {
        return application(Fixed.class).withPropertyValues("hold=" + hold);
    }

    private static String minimum() {
        for (Class<? extends Unlocked> version : List.of(Lasting.class, Once.class)) {
            between(plain(), application(version), (before, after) -> {
                assertThat(whileAtWork(after)).isEqualTo(Answer.RAN);
                assertThat(whileAtWork(before)).isEqualTo(Answer.BUSY);
            });
            redis.command("FLUSHALL");
        }
        return SAFE;
    }

    private static String otherMessages() {
        between(
                patient(Plain.class).withPropertyValues("distribution-lock.redis.messages=classic"),
                patient(Plain.class).withPropertyValues("distribution-lock.redis.messages=none"),
                (before, after) -> {
                    assertThat(timeToHandOver(before, after)).isLessThan(LESS_THAN_THE_WAIT);
                    assertThat(timeToHandOver(after, before)).isLessThan(LESS_THAN_THE_WAIT);
                });
        return besidePlain(plain().withPropertyValues("distribution-lock.redis.messages=none"));
    }

    /** How long after the first has ended its work the second, which waits, begins. */
    private static Duration timeToHandOver(Unlocked first, Unlocked second) throws Exception {
        CountDownLatch leave = new CountDownLatch(1);
        CompletableFuture<Answer> working = inAThread(() -> ask(first, () -> awaitOrFail(leave)));
        await().atMost(Duration.ofSeconds(60)).until(() -> exists("distribution-lock:{order:" + ORDER + "}"));
        AtomicLong begun = new AtomicLong();
        CompletableFuture<Answer> waiting = inAThread(() -> ask(second, () -> begun.set(System.nanoTime())));
        await().atMost(Duration.ofSeconds(60)).until(() -> exists("distribution-lock:{order:" + ORDER + "}:queue"));
        long left = System.nanoTime();
        leave.countDown();
        assertThat(waiting.get(60, TimeUnit.SECONDS)).isEqualTo(Answer.RAN);
        assertThat(working.get(60, TimeUnit.SECONDS)).isEqualTo(Answer.RAN);
        return Duration.ofNanos(begun.get() - left);
    }

    private static boolean exists(String key) {
        return Long.valueOf(1).equals(redis.command("EXISTS", key));
    }

    // Two versions side by side.

    /** What one version does while the other is at work. */
    interface SideBySide {
        void run(Unlocked before, Unlocked after) throws Exception;
    }

    private static void between(ApplicationContextRunner old, ApplicationContextRunner changed, SideBySide trial) {
        AtomicBoolean tried = new AtomicBoolean();
        old.run(before -> changed.run(after -> {
            trial.run(before.getBean(Unlocked.class), after.getBean(Unlocked.class));
            tried.set(true);
        }));
        assertThat(tried).isTrue();
    }

    private static String besidePlain(ApplicationContextRunner changed) {
        return between(plain(), changed);
    }

    /** What happens to a call of either version while the other is at work. */
    private static String between(ApplicationContextRunner old, ApplicationContextRunner changed) {
        List<Answer> answers = new ArrayList<>();
        between(old, changed, (before, after) -> {
            answers.add(whileAtWork(before, after));
            answers.add(whileAtWork(after, before));
        });
        if (answers.contains(Answer.RAN)) {
            return TWO_AT_ONCE;
        }
        return answers.contains(Answer.INCOMPATIBLE) ? CALLS_FAIL : SAFE;
    }

    private static String common(String... results) {
        assertThat(results).containsOnly(results[0]);
        return results[0];
    }

    enum Answer {
        RAN,
        BUSY,
        INCOMPATIBLE
    }

    /** The answer to a call of the last one while the others are at work on the same order. */
    private static Answer whileAtWork(Unlocked... orders) {
        return whileAtWork(List.of(orders));
    }

    private static Answer whileAtWork(List<Unlocked> orders) {
        if (orders.size() == 1) {
            return ask(orders.get(0), () -> {});
        }
        AtomicReference<Answer> last = new AtomicReference<>();
        Answer first = ask(orders.get(0), () -> last.set(whileAtWork(orders.subList(1, orders.size()))));
        assertThat(first).isEqualTo(Answer.RAN);
        return last.get();
    }

    /** In a thread of its own, since a thread that holds a lock would re-enter it. */
    private static Answer ask(Unlocked orders, Runnable work) {
        return inAThread(() -> {
                    try {
                        orders.update(ORDER, work);
                        return Answer.RAN;
                    } catch (LockNotAcquiredException e) {
                        return switch (e.reason()) {
                            case BUSY, REPEATED -> Answer.BUSY;
                            case INCOMPATIBLE -> Answer.INCOMPATIBLE;
                            case INTERRUPTED, BACKEND_FAILED, NOT_REPLICATED -> throw e;
                        };
                    }
                })
                .orTimeout(60, TimeUnit.SECONDS)
                .join();
    }

    private static CompletableFuture<Answer> inAThread(Supplier<Answer> call) {
        return CompletableFuture.supplyAsync(call, command -> new Thread(command, "order").start());
    }

    private static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static void awaitOrFail(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
