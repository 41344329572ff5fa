package io.distributionlock.playground.job;

import io.distributionlock.annotation.ScheduledLock;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * A job that is due on every instance at once. One acquires the lock and runs; the others skip the turn. The lock is
 * kept for a while after a short run, so that an instance whose clock is slightly behind skips it, too.
 */
@Component
class ReportJob {

    private final Report report;
    private final Clock clock = Clock.systemUTC();

    ReportJob(Report report) {
        this.report = report;
    }

    @Scheduled(cron = "${playground.job.cron}")
    @ScheduledLock(name = "report", lockAtLeastFor = "${playground.job.min-hold}")
    public void onTime() {
        Instant nearestSecond = clock.instant().plusMillis(500).truncatedTo(ChronoUnit.SECONDS);
        report.write(nearestSecond.toString());
    }

    /** Triggers a turn by hand, to simulate many instances. Empty if another request ran this turn. */
    @ScheduledLock(name = "report:#{#turn}", lockAtLeastFor = "10s")
    public Optional<JobRun> now(String turn) {
        return Optional.of(report.write(turn));
    }
}
