package io.distributionlock.recipes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.is;

import io.distributionlock.LockTemplate;
import io.distributionlock.annotation.ScheduledLock;
import java.time.Duration;
import java.time.LocalDate;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.batch.core.Job;
import org.springframework.batch.core.JobExecutionException;
import org.springframework.batch.core.JobParameters;
import org.springframework.batch.core.JobParametersBuilder;
import org.springframework.batch.core.job.builder.JobBuilder;
import org.springframework.batch.core.launch.JobLauncher;
import org.springframework.batch.core.launch.support.TaskExecutorJobLauncher;
import org.springframework.batch.core.repository.JobInstanceAlreadyCompleteException;
import org.springframework.batch.core.repository.JobRepository;
import org.springframework.batch.core.step.builder.StepBuilder;
import org.springframework.batch.repeat.RepeatStatus;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.batch.BatchAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import org.springframework.transaction.PlatformTransactionManager;

/** A job of Spring Batch that every node launches, and one runs: the recipe of docs/recipes.md. */
class SpringBatchTest {

    private static final String LOCK = "nightly-report";

    private static final Duration SOON = Duration.ofSeconds(30);

    private final Nodes nodes = new Nodes();
    private final Work work = new Work();

    /** What the step of the job does, whichever node it runs on. */
    static final class Work {

        final AtomicInteger runs = new AtomicInteger();
        final CountDownLatch mayEnd = new CountDownLatch(1);
    }

    private ApplicationContextRunner node(Class<?> launching) {
        return nodes.node(launching, Report.class)
                .withConfiguration(AutoConfigurations.of(BatchAutoConfiguration.class))
                .withPropertyValues("spring.batch.job.enabled=false", "spring.batch.jdbc.initialize-schema=always")
                .withBean(Work.class, () -> work);
    }

    @AfterEach
    void stop() {
        work.mayEnd.countDown();
        nodes.close();
    }

    @Test
    void whileOneNodeRunsTheJobTheOthersSkipIt() {
        node(NightlyReport.class)
                .run(first -> node(NightlyReport.class).run(second -> {
                    FutureTask<Void> running = inBackground(first.getBean(NightlyReport.class));
                    await().atMost(SOON).untilAtomic(work.runs, is(1));
                    second.getBean(NightlyReport.class).launch();
                    assertThat(running).isNotDone();
                    work.mayEnd.countDown();
                    running.get();
                    second.getBean(NightlyReport.class).launch(); // a late node, within lockAtLeastFor
                    assertThat(work.runs).hasValue(1);
                    assertThat(executions(second.getBean(JdbcTemplate.class))).isEqualTo(1);
                }));
    }

    @Test
    void whatTheLockLetsThroughTheParametersRefuse() {
        work.mayEnd.countDown();
        node(NightlyReport.class)
                .run(first -> node(NightlyReport.class).run(second -> {
                    first.getBean(NightlyReport.class).launch();
                    second.getBean(LockTemplate.class).forceRelease(LOCK).join(); // as if lockAtLeastFor were over
                    assertThatThrownBy(second.getBean(NightlyReport.class)::launch)
                            .isInstanceOf(JobInstanceAlreadyCompleteException.class);
                    assertThat(work.runs).hasValue(1);
                }));
    }

    /** The trap that the recipe names. */
    @Test
    void aLauncherThatDoesNotWaitGivesTheLockBackWhileTheJobRuns() {
        node(WithoutWaiting.class).run(context -> {
            context.getBean(WithoutWaiting.class).launch();
            await().atMost(SOON).untilAtomic(work.runs, is(1));
            LockTemplate locks = context.getBean(LockTemplate.class);
            assertThat(locks.<Long>execute(LOCK, work.mayEnd::getCount)).isEqualTo(1);
        });
    }

    private static FutureTask<Void> inBackground(NightlyReport report) {
        FutureTask<Void> task = new FutureTask<>(() -> {
            report.launch();
            return null;
        });
        new Thread(task, "first node").start();
        return task;
    }

    private static int executions(JdbcTemplate jdbc) {
        Integer count = jdbc.queryForObject("SELECT COUNT(*) FROM BATCH_JOB_EXECUTION", Integer.class);
        return count == null ? 0 : count;
    }

    @Configuration(proxyBeanMethods = false)
    static class Report {

        @Bean
        Job report(JobRepository jobs, PlatformTransactionManager transactions, Work work) {
            return new JobBuilder("report", jobs)
                    .start(new StepBuilder("write", jobs)
                            .tasklet(
                                    (contribution, chunk) -> {
                                        work.runs.incrementAndGet();
                                        work.mayEnd.await();
                                        return RepeatStatus.FINISHED;
                                    },
                                    transactions)
                            .build())
                    .build();
        }
    }

    @Component
    static class NightlyReport {

        private final JobLauncher launcher;
        private final Job report;

        NightlyReport(JobLauncher launcher, Job report) {
            this.launcher = launcher;
            this.report = report;
        }

        @Scheduled(cron = "0 0 3 * * *")
        @ScheduledLock(name = "nightly-report", lockAtLeastFor = "1m")
        public void launch() throws JobExecutionException {
            JobParameters parameters = new JobParametersBuilder()
                    .addLocalDate("day", LocalDate.now())
                    .toJobParameters();
            launcher.run(report, parameters);
        }
    }

    @Component
    static class WithoutWaiting {

        private final JobRepository jobs;
        private final Job report;

        WithoutWaiting(JobRepository jobs, Job report) {
            this.jobs = jobs;
            this.report = report;
        }

        @ScheduledLock(name = LOCK)
        public void launch() throws Exception {
            TaskExecutorJobLauncher launcher = new TaskExecutorJobLauncher();
            launcher.setJobRepository(jobs);
            launcher.setTaskExecutor(new SimpleAsyncTaskExecutor());
            launcher.afterPropertiesSet();
            JobParameters parameters = new JobParametersBuilder()
                    .addLocalDate("day", LocalDate.now())
                    .toJobParameters();
            launcher.run(report, parameters);
        }
    }
}
