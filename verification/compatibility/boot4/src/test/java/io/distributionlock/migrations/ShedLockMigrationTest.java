package io.distributionlock.migrations;

import io.distributionlock.annotation.ScheduledLock;
import io.distributionlock.testing.RedisProcess;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.provider.redis.spring.RedisLockProvider;
import net.javacrumbs.shedlock.spring.annotation.EnableSchedulerLock;
import net.javacrumbs.shedlock.spring.annotation.SchedulerLock;
import org.junit.jupiter.api.AutoClose;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.data.redis.connection.RedisConnectionFactory;

class ShedLockMigrationTest extends MigrationContract {

    @AutoClose
    private static final RedisProcess redis = RedisProcess.start();

    ShedLockMigrationTest() {
        super(redis, Jobs.class, REDISSON, LOCK4J);
    }

    @Override
    String oldKey() {
        return "job-lock:default:" + LOCK;
    }

    @Configuration(proxyBeanMethods = false)
    @EnableSchedulerLock(defaultLockAtMostFor = "1m")
    static class Provider {

        @Bean
        LockProvider lockProvider(RedisConnectionFactory connections) {
            return new RedisLockProvider(connections);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import({Provider.class, OldJob.class, NewJob.class, JobBetween.class})
    static class Jobs {

        @Bean
        Version before(OldJob job) {
            return job::run;
        }

        @Bean
        Version both(JobBetween job) {
            return job::run;
        }

        @Bean
        Version after(NewJob job) {
            return job::run;
        }
    }

    static class OldJob {

        @SchedulerLock(name = LOCK, lockAtMostFor = "1m")
        public void run(Runnable work) {
            work.run();
        }
    }

    static class JobBetween {

        private final NewJob job;

        JobBetween(NewJob job) {
            this.job = job;
        }

        @SchedulerLock(name = LOCK, lockAtMostFor = "1m")
        public void run(Runnable work) {
            job.run(work);
        }
    }

    static class NewJob {

        @ScheduledLock(name = LOCK, lockAtMostFor = "1m")
        public void run(Runnable work) {
            work.run();
        }
    }
}
