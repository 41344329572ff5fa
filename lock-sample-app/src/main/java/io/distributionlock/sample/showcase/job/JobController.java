package io.distributionlock.sample.showcase.job;

import io.distributionlock.sample.web.Resp;
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
    Resp<JobRun> now(
            @RequestParam @NotBlank(message = "参数 turn 不能为空") @Size(max = 64, message = "参数 turn 不能超过 64 个字符")
                    String turn) {
        return job.now(turn)
                .map(run -> Resp.buildSuccess("任务已执行", run))
                .orElseGet(() -> Resp.buildFail("本轮任务已由其他线程或实例执行"));
    }
}
