package io.distributionlock.playground.freeze;

import io.distributionlock.playground.web.BusinessException;
import io.distributionlock.playground.web.Resp;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.time.Duration;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The endpoints: a sale, and the freeze of a seller. */
@RestController
@RequestMapping("/v1")
class FreezeController {

    private final LastItem lastItem;
    private final Freezes freezes;

    FreezeController(LastItem lastItem, Freezes freezes) {
        this.lastItem = lastItem;
        this.freezes = freezes;
    }

    /** @param pause how long the transaction waits before it commits, in milliseconds */
    @PostMapping("/last-items/{item}/sales")
    Resp<String> sell(
            @PathVariable String item,
            @RequestParam Guard guard,
            @RequestParam(defaultValue = "0") @Min(0) @Max(60_000) Integer pause) {
        Duration beforeCommit = Duration.ofMillis(pause);
        return switch (guard) {
            case NONE -> lastItem.sell(item, beforeCommit);
            case LOCK -> lastItem.sellLocked(item, beforeCommit);
            case DATABASE -> lastItem.sellGuarded(item, beforeCommit);
        };
    }

    @PostMapping("/freezes")
    Resp<Freeze.State> begin() {
        return Resp.buildSuccess(freezes.begin().state());
    }

    @GetMapping("/freezes/{run}")
    Resp<Freeze.State> state(@PathVariable String run) {
        return Resp.buildSuccess(freezes.find(run)
                .orElseThrow(() -> new BusinessException(HttpStatus.NOT_FOUND, "burst.unknown", run))
                .state());
    }
}
