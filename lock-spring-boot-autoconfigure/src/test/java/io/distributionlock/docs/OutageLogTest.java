package io.distributionlock.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.distributionlock.LockTemplate;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.DistributionLockParam;
import io.distributionlock.annotation.ScheduledLock;
import io.distributionlock.leader.LeaderElection;
import io.distributionlock.testing.AutoConfigurationWithoutDatabase;
import io.distributionlock.testing.RedisProcess;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

/** What an application with twenty locks, five jobs and an election logs while Redis is away: the page shows it. */
class OutageLogTest {

    private static final Duration LONG = Duration.ofSeconds(60);
    private static final int ORDERS = 20;
    private static final int JOBS = 5;

    /** Of the jobs' fifteen lines, the page shows one. */
    private static final int NOT_SHOWN = 14;

    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final Set<Integer> refused = ConcurrentHashMap.newKeySet();
    private final Set<Integer> paid = ConcurrentHashMap.newKeySet();
    private final Semaphore reporting = new Semaphore(0);

    @Test
    void aShortOutageSaysWhatThePageShows() {
        // No lease ends while the machine stands still for a moment.
        endure(Duration.ZERO, "6s", "1s");
        assertThat(kinds(lines)).as("%s", lines).isEqualTo(kinds(shown()));
    }

    /** The times of the page. Prints its log. */
    @Tag("long")
    @Test
    void twoMinutesWithoutRedisAreThoseOfThePage() {
        endure(Duration.ofMinutes(2), "60s", "30s");
        System.out.println("The log of the outage:\n" + String.join("\n", lines));
        assertThat(kinds(lines)).isEqualTo(kinds(shown()));
        assertThat(lines.size()).isBetween(shown().size() + NOT_SHOWN - JOBS, shown().size() + NOT_SHOWN + JOBS);
    }

    private void endure(Duration least, String lease, String pause) {
        ExecutorService callers = Executors.newCachedThreadPool();
        Recorder recorder = new Recorder();
        Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        try (RedisProcess redis = RedisProcess.start();
                ConfigurableApplicationContext application = new SpringApplicationBuilder(Application.class)
                        .web(WebApplicationType.NONE)
                        .initializers(context -> context.getBeanFactory().registerSingleton("reporting", reporting))
                        .properties(
                                "spring.main.banner-mode=off",
                                "logging.level.io.lettuce.core.protocol=error",
                                "spring.task.scheduling.pool.size=" + JOBS,
                                "spring.data.redis.host=127.0.0.1",
                                "spring.data.redis.port=" + redis.port(),
                                "distribution-lock.defaults.lease-time=" + lease,
                                "pause=" + pause)
                        .run()) {
            Orders orders = application.getBean(Orders.class);
            LeaderElection election = application.getBean(LeaderElection.class);
            callers.execute(() -> again(callers, () -> orders.report("all")));
            for (int order = 0; order < ORDERS; order++) {
                int number = order;
                callers.execute(() -> again(callers, () -> pay(orders, number)));
            }
            await().atMost(LONG)
                    .until(() -> paid.size() == ORDERS
                            && election.isLeader()
                            && reporting.availablePermits() > 0
                            // Else it also tells that it cannot subscribe yet.
                            && !String.valueOf(redis.command("PUBSUB", "CHANNELS"))
                                    .equals("[]"));
            recorder.start();
            root.addAppender(recorder);

            redis.stop();
            long start = System.nanoTime();
            await().atMost(LONG.plus(least))
                    .until(() -> System.nanoTime() - start >= least.toNanos()
                            && refused.size() == ORDERS
                            && says("no longer leads")
                            && says("cannot wait for lock")
                            && says("Lost lock 'report:all' before")
                            && IntStream.rangeClosed(1, JOBS)
                                    .allMatch(job -> says("its lock 'job-" + job + "' cannot be acquired")));
            assertThat(lines)
                    .as("%s", lines)
                    .filteredOn(line -> line.contains("out of service"))
                    .hasSize(1);
            redis.startAgain();
            paid.clear();
            await().atMost(LONG)
                    .until(() -> paid.size() == ORDERS && says("back in service") && says("leads from now on"));
            root.detachAppender(recorder);
            callers.shutdownNow();
            await().atMost(LONG).until(callers::isTerminated);
        } finally {
            root.detachAppender(recorder);
            callers.shutdownNow();
        }
    }

    /** Also after an interrupt, by which a caller is told that its lease was lost. */
    private static void again(ExecutorService callers, Runnable work) {
        while (!callers.isShutdown()) {
            try {
                work.run();
            } catch (RuntimeException itsCallerIsTold) {
                // Once more.
            }
            Thread.interrupted();
        }
    }

    private void pay(Orders orders, int order) {
        try {
            orders.pay(order);
            paid.add(order);
        } catch (RuntimeException itsCallerIsTold) {
            refused.add(order);
        }
    }

    private boolean says(String text) {
        return lines.stream().anyMatch(line -> line.contains(text));
    }

    private static List<String> shown() {
        List<String> page = Page.of("docs/outages.md").lines();
        int start = page.indexOf("```log") + 1;
        return page.subList(start, start + page.subList(start, page.size()).indexOf("```"));
    }

    /** What is said, whenever and however often. */
    private static Set<String> kinds(List<String> lines) {
        return lines.stream()
                .map(line -> line.strip().replaceAll("\\d+(\\.\\d+)?", "N"))
                .map(line -> line.replaceAll("Jobs\\.\\w+\\(", "Jobs.N("))
                // The reasons differ with the moment.
                .map(line ->
                        line.replaceAll("(LockEngine: Lost|was lost|acquired\\.|second\\.|out of service\\.) .*", "$1"))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private final class Recorder extends AppenderBase<ILoggingEvent> {

        private long start;

        @Override
        public void start() {
            start = System.currentTimeMillis();
            super.start();
        }

        @Override
        protected void append(ILoggingEvent event) {
            String logger = event.getLoggerName();
            lines.add(String.format(
                    Locale.ROOT,
                    "%5.1f s  %-5s %s: %s%s",
                    (event.getTimeStamp() - start) / 1000.0,
                    event.getLevel(),
                    logger.substring(logger.lastIndexOf('.') + 1),
                    event.getFormattedMessage()
                            .replaceAll("127\\.0\\.0\\.1:\\d+", "redis:6379")
                            .replace(OutageLogTest.class.getName() + "$", "com.example."),
                    event.getThrowableProxy() == null ? "" : " AND A STACK TRACE"));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @AutoConfigurationWithoutDatabase
    @EnableScheduling
    @Import({Orders.class, Jobs.class})
    static class Application {

        @Bean
        LeaderElection billing(LockTemplate locks, @Value("${distribution-lock.defaults.lease-time}") Duration lease) {
            return new LeaderElection(locks, "billing", lease);
        }
    }

    static class Orders {

        private final Semaphore reporting;

        Orders(Semaphore reporting) {
            this.reporting = reporting;
        }

        @DistributionLock(key = "order")
        public void pay(@DistributionLockParam int order) {
            sleep(Duration.ofMillis(200));
        }

        /** Works until it is interrupted: longer than its lease lasts without Redis. */
        @DistributionLock(key = "report")
        public void report(@DistributionLockParam String of) {
            reporting.release();
            sleep(Duration.ofMinutes(10));
        }

        private static void sleep(Duration time) {
            try {
                TimeUnit.NANOSECONDS.sleep(time.toNanos());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    static class Jobs {

        @Scheduled(fixedDelayString = "${pause}")
        @ScheduledLock(name = "job-1")
        public void one() {}

        @Scheduled(fixedDelayString = "${pause}")
        @ScheduledLock(name = "job-2")
        public void two() {}

        @Scheduled(fixedDelayString = "${pause}")
        @ScheduledLock(name = "job-3")
        public void three() {}

        @Scheduled(fixedDelayString = "${pause}")
        @ScheduledLock(name = "job-4")
        public void four() {}

        @Scheduled(fixedDelayString = "${pause}")
        @ScheduledLock(name = "job-5")
        public void five() {}
    }
}
