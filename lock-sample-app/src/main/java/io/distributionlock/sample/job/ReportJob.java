package io.distributionlock.sample.job;

import io.distributionlock.annotation.ScheduledLock;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * A job whose time comes in every instance at once. One gets the lock and runs; the others skip the turn, also one whose clock
 * is a little behind, because the lock stays taken for a while after a short run.
 */
@Component
class ReportJob {

    private final Report report;
    private final Clock clock = Clock.systemUTC();

    ReportJob(Report report) {
        this.report = report;
    }

    @Scheduled(cron = "${sample.job.cron}")
    @ScheduledLock(name = "report", minHold = "${sample.job.min-hold}")
    public void onTime() {
        Instant nearestSecond = clock.instant().plusMillis(500).truncatedTo(ChronoUnit.SECONDS);
        report.write(nearestSecond.toString());
    }

    /** Has somebody say that it is time, so that a crowd of instances can be played. Empty if this turn was another's. */
    @ScheduledLock(name = "report:#{#turn}", minHold = "10s")
    public Optional<JobRun> now(String turn) {
        return Optional.of(report.write(turn));
    }
}
