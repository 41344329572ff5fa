package io.distributionlock.playground.job;

import io.distributionlock.playground.web.Resp;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Size;
import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The endpoints. */
@RestController
@RequestMapping("/v1/job-runs")
class JobController {

    private final ReportJob job;
    private final JobRuns runs;

    JobController(ReportJob job, JobRuns runs) {
        this.job = job;
        this.runs = runs;
    }

    @GetMapping
    Resp<List<JobRun>> latest() {
        return Resp.buildSuccess(runs.latest());
    }

    @PostMapping
    Resp<JobRun> now(@RequestParam @NotBlank @Size(max = 64) String turn) {
        return job.now(turn)
                .map(run -> Resp.buildSuccess("job.done", run))
                .orElseGet(() -> Resp.buildFail("job.done-by-another"));
    }
}
