package io.distributionlock.sample.showcase.job;

import io.distributionlock.sample.web.Resp;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The same without the lock, for comparison only. Do not copy it. */
@RestController
class JobWithoutLock {

    private final Report report;

    JobWithoutLock(Report report) {
        this.report = report;
    }

    @PostMapping("/v1/without-lock/job-runs")
    Resp<JobRun> now(@RequestParam String turn) {
        return Resp.buildSuccess("任务已执行", report.write(turn));
    }
}
