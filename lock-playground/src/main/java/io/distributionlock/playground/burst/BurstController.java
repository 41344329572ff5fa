package io.distributionlock.playground.burst;

import io.distributionlock.playground.web.BusinessException;
import io.distributionlock.playground.web.Resp;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.util.Comparator;
import java.util.List;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Bursts, for the page. */
@RestController
@RequestMapping("/v1")
class BurstController {

    private final List<Scenario> scenarios;
    private final Bursts bursts;

    BurstController(List<Scenario> scenarios, Bursts bursts) {
        this.scenarios =
                scenarios.stream().sorted(Comparator.comparing(Scenario::name)).toList();
        this.bursts = bursts;
    }

    @GetMapping("/scenarios")
    Resp<List<Choice>> scenarios() {
        return Resp.buildSuccess(scenarios.stream()
                .map(scenario -> new Choice(scenario.name(), scenario.requests()))
                .toList());
    }

    @PostMapping("/bursts")
    Resp<Burst.State> begin(
            @RequestParam String scenario,
            @RequestParam @Min(1) @Max(600) Integer requests,
            @RequestParam(defaultValue = "true") boolean locked) {
        Scenario chosen = scenarios.stream()
                .filter(known -> known.name().equals(scenario))
                .findAny()
                .orElseThrow(() -> new BusinessException(HttpStatus.NOT_FOUND, "scenario.unknown", scenario));
        return Resp.buildSuccess(bursts.begin(chosen, requests, locked).state());
    }

    @GetMapping("/bursts/{run}")
    Resp<Burst.State> state(@PathVariable String run) {
        return Resp.buildSuccess(bursts.find(run)
                .orElseThrow(() -> new BusinessException(HttpStatus.NOT_FOUND, "burst.unknown", run))
                .state());
    }

    /**
     * A scenario to choose.
     *
     * @param requests the suggested number of requests
     */
    record Choice(String name, int requests) {}
}
