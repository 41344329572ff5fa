package io.distributionlock.playground.masters;

import io.distributionlock.playground.web.BusinessException;
import io.distributionlock.playground.web.Resp;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** The servers, for the page: shows which are up, kills and restarts them. */
@RestController
@RequestMapping("/v1/masters")
class MastersController {

    private final Masters masters;

    MastersController(Masters masters) {
        this.masters = masters;
    }

    @GetMapping
    Resp<List<Master.State>> states() {
        return Resp.buildSuccess(masters.states());
    }

    /** Kills the server as {@code kill -9} does. */
    @PostMapping("/{port}/kill")
    Resp<Turn> kill(@PathVariable int port) {
        if (!at(port).kill()) {
            throw new BusinessException(HttpStatus.CONFLICT, "master.not-ours", port);
        }
        return Resp.buildSuccess("master.killed", Turn.now());
    }

    /** Starts the server again, empty; returns when it answers. */
    @PostMapping("/{port}/start")
    Resp<Turn> start(@PathVariable int port) {
        at(port).start();
        return Resp.buildSuccess("master.running", Turn.now());
    }

    private Master at(int port) {
        return masters.at(port).orElseThrow(() -> new BusinessException(HttpStatus.NOT_FOUND, "master.unknown", port));
    }

    /**
     * A server was killed or restarted.
     *
     * @param at the time, in microseconds since 1970
     */
    record Turn(long at) {

        static Turn now() {
            return new Turn(ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now()));
        }
    }
}
