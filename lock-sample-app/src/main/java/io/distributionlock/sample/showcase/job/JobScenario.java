package io.distributionlock.sample.showcase.job;

import io.distributionlock.sample.showcase.burst.Scenario;
import java.util.List;
import org.springframework.stereotype.Component;

/** All requests announce the same turn at once. */
@Component
class JobScenario implements Scenario {

    private final JobRuns runs;

    JobScenario(JobRuns runs) {
        this.runs = runs;
    }

    @Override
    public String name() {
        return "scheduled-job";
    }

    @Override
    public int requests() {
        return 12;
    }

    @Override
    public Call call(String run, int number, boolean locked) {
        return Call.of("POST", locked, "/job-runs?turn=" + run);
    }

    @Override
    public List<Fact> facts(String run, int requests, int done) {
        return List.of(new Fact("runs", 1, runs.count(run)));
    }
}
