package io.distributionlock.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.distributionlock.Lease;
import io.distributionlock.LockKind;
import io.distributionlock.LockRequest;
import io.distributionlock.LockTemplate;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.RefuseRepeats;
import io.distributionlock.failure.LockFailureMapper;
import io.distributionlock.testing.LockContextRunner;
import io.distributionlock.testing.RedisProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;

/** The page on troubleshooting quotes what the library says, every warning and error of it, and much of that is provoked here. */
@ExtendWith(OutputCaptureExtension.class)
class TroubleshootingPageTest {

    private static final Pattern QUOTES = Pattern.compile("- ((?:`[^`]+`(?:; )?)+): .*");
    private static final Pattern QUOTE = Pattern.compile("`([^`]+)`");

    private static final LibraryMessages MESSAGES = LibraryMessages.read();

    @AutoClose
    private static final RedisProcess redis = RedisProcess.start();

    /** What the items of the page begin with. */
    private static List<String> quotes() {
        List<String> lines = Page.of("docs/troubleshooting.md").lines();
        // What others log stands at the end.
        String text = String.join("\n", lines.subList(0, lines.indexOf("## Too much in the log")));
        return Stream.of(text.replaceAll("\n +", " ").split("\n"))
                .flatMap(line -> QUOTES.matcher(line).results())
                .flatMap(item -> QUOTE.matcher(item.group(1)).results())
                .map(quote -> quote.group(1))
                .toList();
    }

    private static Pattern anywhere(String quote) {
        return Pattern.compile(
                Arrays.stream(quote.split("…", -1)).map(Pattern::quote).collect(Collectors.joining(".*?")),
                Pattern.DOTALL);
    }

    @Test
    void everyQuoteIsATextOfTheLibrary() {
        assertThat(quotes())
                .hasSizeGreaterThan(50)
                .doesNotHaveDuplicates()
                .allSatisfy(quote -> assertThat(MESSAGES.all())
                        .as(quote)
                        .anyMatch(text -> anywhere(quote).matcher(text).find()));
    }

    @Test
    void everyWarningAndErrorOfTheLibraryIsOnThePage() {
        List<Pattern> quotes =
                quotes().stream().map(TroubleshootingPageTest::anywhere).toList();
        assertThat(MESSAGES.warnings())
                .hasSizeGreaterThan(40)
                .allSatisfy(texts -> assertThat(texts)
                        .anyMatch(text -> quotes.stream()
                                .anyMatch(quote -> quote.matcher(text).find())));
    }

    static Stream<String> provoked() {
        return trials().keySet().stream();
    }

    @ParameterizedTest
    @MethodSource("provoked")
    void whatHappensIsSaidAsThePageQuotesIt(String quote, CapturedOutput log) {
        assertThat(quotes()).contains(quote);
        String thrown = trials().get(quote).get();
        assertThat(log.getAll() + thrown).containsPattern(anywhere(quote));
    }

    private static Map<String, Supplier<String>> trials() {
        Map<String, Supplier<String>> trials = new LinkedHashMap<>();
        // Starts.
        trials.put(
                "NOTHING IS LOCKED",
                () -> start(application(Orders.class).withPropertyValues("distribution-lock.enabled=false")));
        trials.put("Locks are LOCAL", () -> start(LockContextRunner.local(Orders.class)));
        trials.put(
                "RUNS UNLOCKED: …",
                () -> start(LockContextRunner.local(Private.class)
                        .withPropertyValues("distribution-lock.validation=warn")));
        trials.put(
                "but no LockTemplate that could lock them",
                () -> start(LockContextRunner.plain().withUserConfiguration(Orders.class)));
        trials.put("names #…, which is not a parameter of the method", () -> start(application(Misspelled.class)));
        trials.put("has a # outside of #{…}", () -> start(application(Outside.class)));
        trials.put(
                "have no effect: no @DistributionLock has the key '…'",
                () -> start(application(Orders.class)
                        .withPropertyValues("distribution-lock.locks.ordre.try-lock-time=1s")));
        trials.put(
                "The LockFailureMapper bean '…' answers for …, but",
                () -> start(application(Orders.class, MapperOfNothing.class)));
        trials.put(
                "is not guarded as distribution-lock.defaults.commit-guard says",
                () -> start(application(Readers.class)
                        .withPropertyValues("distribution-lock.defaults.commit-guard=database")));
        trials.put("lacks permissions that locks need", TroubleshootingPageTest::startWithoutRights);
        // Calls.
        trials.put("is busy: it was not free within … ms", () -> use(locks -> locks.acquire("busy"), "busy"));
        trials.put("is held for reading by the owner that now requests it as …", TroubleshootingPageTest::upgrade);
        trials.put("refuses to repeat a call", TroubleshootingPageTest::repeat);
        trials.put("A name is a lock or has permits, not both", TroubleshootingPageTest::permitsOfALock);
        trials.put(
                "holds a value that no lock has written",
                () -> use(locks -> redis.command("LPUSH", "distribution-lock:{foreign}", "value"), "foreign"));
        trials.put("Lost lock '…' before it was released", TroubleshootingPageTest::lose);
        trials.put("lock '…' failed after … ms", TroubleshootingPageTest::withoutRedis);
        trials.put("The locks of … are out of service", TroubleshootingPageTest::withoutRedis);
        return trials;
    }

    private static ApplicationContextRunner application(Class<?>... beans) {
        return LockContextRunner.redis(redis.port())
                .withUserConfiguration(beans)
                // Some locks are still held when it ends.
                .withPropertyValues("distribution-lock.shutdown.timeout=0s");
    }

    private static String start(ApplicationContextRunner application) {
        List<String> said = new ArrayList<>();
        application.run(context -> {
            Throwable failure = context.getStartupFailure();
            said.add(failure == null ? "" : allOf(failure));
        });
        return String.join("\n", said);
    }

    private static String startWithoutRights() {
        redis.command("ACL", "SETUSER", "poor", "reset", "on", ">secret", "+ping", "+hello", "+select");
        return start(application()
                .withPropertyValues(
                        "spring.data.redis.username=poor",
                        "spring.data.redis.password=secret",
                        "distribution-lock.redis.check-on-start=true"));
    }

    interface Preparation {
        void run(LockTemplate locks) throws Exception;
    }

    /** What an attempt of another thread for this lock says, after the preparation. */
    private static String use(Preparation preparation, String name) {
        List<String> said = new ArrayList<>();
        application().run(context -> {
            LockTemplate locks = context.getBean(LockTemplate.class);
            preparation.run(locks);
            Thread other = new Thread(() -> said.add(allOf(catchThrowable(() -> locks.acquire(single(name))))));
            other.start();
            other.join();
        });
        return String.join("\n", said);
    }

    private static LockRequest single(String name) {
        return LockRequest.named(name).tryLockTime(Duration.ZERO).build();
    }

    private static String upgrade() {
        List<String> said = new ArrayList<>();
        application().run(context -> {
            LockTemplate locks = context.getBean(LockTemplate.class);
            LockRequest reading = LockRequest.named("read").kind(LockKind.READ).build();
            try (Lease ignored = locks.acquire(reading)) {
                said.add(allOf(catchThrowable(() -> locks.acquire(single("read")))));
            }
        });
        return String.join("\n", said);
    }

    private static String repeat() {
        List<String> said = new ArrayList<>();
        application(Orders.class).run(context -> {
            Orders orders = context.getBean(Orders.class);
            orders.create("A1001");
            said.add(allOf(catchThrowable(() -> orders.create("A1001"))));
        });
        return String.join("\n", said);
    }

    private static String permitsOfALock() {
        List<String> said = new ArrayList<>();
        application().run(context -> {
            LockTemplate locks = context.getBean(LockTemplate.class);
            try (Lease ignored = locks.acquire("mixed")) {
                LockRequest permit = LockRequest.named("mixed").permits(2).build();
                Thread other = new Thread(() -> said.add(allOf(catchThrowable(() -> locks.acquire(permit)))));
                other.start();
                other.join();
            }
        });
        return String.join("\n", said);
    }

    private static String lose() {
        application().run(context -> {
            Lease lease = context.getBean(LockTemplate.class).acquire("lost");
            redis.command("DEL", "distribution-lock:{lost}");
            assertThat(lease.confirm()).isFalse();
            lease.release();
        });
        return "";
    }

    private static String withoutRedis() {
        List<String> said = new ArrayList<>();
        try (RedisProcess ending = RedisProcess.start()) {
            LockContextRunner.redis(ending.port())
                    .withPropertyValues("distribution-lock.redis.command-timeout=1s")
                    .run(context -> {
                        LockTemplate locks = context.getBean(LockTemplate.class);
                        ending.stop();
                        said.add(allOf(catchThrowable(() -> locks.acquire("away"))));
                    });
        }
        return String.join("\n", said);
    }

    private static String allOf(Throwable failure) {
        StringBuilder text = new StringBuilder();
        for (Throwable each = failure; each != null; each = each.getCause()) {
            text.append(each).append('\n');
        }
        return text.toString();
    }

    static class Orders {

        @DistributionLock(key = "order")
        public void update() {}

        @RefuseRepeats(key = "create:#{#code}", within = "1m")
        public void create(String code) {}
    }

    static class MapperOfNothing {

        /** No locked method returns a number. */
        @Bean
        LockFailureMapper<Integer> numbers() {
            return failure -> 0;
        }
    }

    static class Readers {

        /** Shared locks cannot be guarded. */
        @DistributionLock(key = "order", kind = LockKind.READ)
        public void read() {}
    }

    static class Private {

        @DistributionLock(key = "order")
        private void update() {}
    }

    static class Misspelled {

        @DistributionLock(key = "order:#{#ordr}")
        public void update(String order) {}
    }

    static class Outside {

        @DistributionLock(key = "order:#order")
        public void update(String order) {}
    }
}
