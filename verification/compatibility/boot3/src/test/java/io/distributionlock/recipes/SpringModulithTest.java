package io.distributionlock.recipes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributionlock.annotation.ScheduledLock;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.hamcrest.Matchers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.jackson.JacksonAutoConfiguration;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.modulith.events.ApplicationModuleListener;
import org.springframework.modulith.events.IncompleteEventPublications;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.util.ClassUtils;

/** Events of Spring Modulith whose listener failed, submitted again by one of several nodes: the recipe of docs/recipes.md. */
class SpringModulithTest {

    private static final Duration SOON = Duration.ofSeconds(30);

    private final Nodes nodes = new Nodes();
    private final Work work = new Work();

    public record OrderPlaced(String order) {}

    /** What the listeners do, whichever node they run on. */
    static final class Work {

        final AtomicBoolean fails = new AtomicBoolean(true);
        final AtomicInteger runs = new AtomicInteger();
        final CountDownLatch mayEnd = new CountDownLatch(1);
    }

    private ApplicationContextRunner node() {
        return nodes.node(Listening.class, Mails.class, Resubmission.class)
                .withConfiguration(
                        AutoConfigurations.of(TaskExecutionAutoConfiguration.class, JacksonAutoConfiguration.class))
                .withConfiguration(AutoConfigurations.of(autoConfigurationsOfModulith()))
                .withPropertyValues("spring.modulith.events.jdbc.schema-initialization.enabled=true")
                .withBean(Work.class, () -> work);
    }

    private static Class<?>[] autoConfigurationsOfModulith() {
        ClassLoader classes = SpringModulithTest.class.getClassLoader();
        return ImportCandidates.load(AutoConfiguration.class, classes).getCandidates().stream()
                .filter(name -> name.startsWith("org.springframework.modulith."))
                .map(name -> ClassUtils.resolveClassName(name, classes))
                .toArray(Class<?>[]::new);
    }

    @AfterEach
    void stop() {
        work.mayEnd.countDown();
        nodes.close();
    }

    @Test
    void oneNodeSubmitsTheEventAgain() {
        node().run(first -> node().run(second -> {
            failOnce(first);
            first.getBean(Resubmission.class).resubmit();
            await().atMost(SOON).untilAtomic(work.runs, Matchers.is(2));
            second.getBean(Resubmission.class).resubmit(); // while the listener runs
            work.mayEnd.countDown();
            await().atMost(SOON).until(() -> incomplete(second) == 0);
            assertThat(work.runs).hasValue(2);
        }));
    }

    /** What the lock is for. */
    @Test
    void withoutTheLockEachNodeRunsTheListener() {
        node().run(first -> node().run(second -> {
            failOnce(first);
            resubmitWithoutLock(first);
            await().atMost(SOON).untilAtomic(work.runs, Matchers.is(2));
            resubmitWithoutLock(second);
            await().atMost(SOON).untilAtomic(work.runs, Matchers.is(3));
        }));
    }

    /** An event whose listener has failed: the publication stays, incomplete. */
    private void failOnce(ApplicationContext node) {
        new TransactionTemplate(node.getBean(PlatformTransactionManager.class))
                .executeWithoutResult(status -> node.publishEvent(new OrderPlaced("A1001")));
        await().atMost(SOON).untilAtomic(work.runs, Matchers.is(1));
        work.fails.set(false);
        assertThat(incomplete(node)).isEqualTo(1);
    }

    private static void resubmitWithoutLock(ApplicationContext node) {
        node.getBean(IncompleteEventPublications.class).resubmitIncompletePublicationsOlderThan(Duration.ZERO);
    }

    private static int incomplete(ApplicationContext node) {
        Integer count = node.getBean(JdbcTemplate.class)
                .queryForObject("SELECT COUNT(*) FROM EVENT_PUBLICATION WHERE COMPLETION_DATE IS NULL", Integer.class);
        return count == null ? 0 : count;
    }

    @Configuration(proxyBeanMethods = false)
    @AutoConfigurationPackage
    @EnableAsync
    static class Listening {}

    @Component
    static class Mails {

        private final Work work;

        Mails(Work work) {
            this.work = work;
        }

        @ApplicationModuleListener
        public void send(OrderPlaced placed) throws InterruptedException {
            boolean fails = work.fails.get();
            work.runs.incrementAndGet();
            if (fails) {
                throw new IllegalStateException("The server for mails is away, as this test wants it");
            }
            work.mayEnd.await();
        }
    }

    @Component
    static class Resubmission {

        private final IncompleteEventPublications events;
        private final Duration patience = Duration.ZERO;

        Resubmission(IncompleteEventPublications events) {
            this.events = events;
        }

        @Scheduled(fixedDelay = 60_000)
        @ScheduledLock(name = "resubmit-events", lockAtLeastFor = "50s")
        public void resubmit() {
            events.resubmitIncompletePublicationsOlderThan(patience);
        }
    }
}
