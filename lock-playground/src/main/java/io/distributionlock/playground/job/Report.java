package io.distributionlock.playground.job;

import io.distributionlock.playground.instances.ThisInstance;
import io.distributionlock.playground.timeline.Shown;
import io.distributionlock.playground.work.ShortWork;
import org.springframework.stereotype.Component;

/** The work of the job. */
@Component
class Report {

    private final JobRuns runs;
    private final ThisInstance instance;
    private final ShortWork work;

    Report(JobRuns runs, ThisInstance instance, ShortWork work) {
        this.runs = runs;
        this.instance = instance;
        this.work = work;
    }

    @Shown("report")
    public JobRun write(String turn) {
        work.run();
        JobRun run = new JobRun(turn, instance.name());
        runs.add(run);
        return run;
    }
}
