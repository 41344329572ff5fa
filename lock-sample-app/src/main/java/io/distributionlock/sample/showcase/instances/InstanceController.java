package io.distributionlock.sample.showcase.instances;

import io.distributionlock.sample.web.BusinessException;
import io.distributionlock.sample.web.Resp;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** The instances, for the page. */
@RestController
@RequestMapping("/v1/instances")
class InstanceController {

    private final Peers peers;
    private final SecondInstance second;

    InstanceController(Peers peers, SecondInstance second) {
        this.peers = peers;
        this.second = second;
    }

    @GetMapping
    Resp<List<Instance>> running() {
        return Resp.buildSuccess(peers.running());
    }

    /** Starts a second instance if there is only one; returns at once. */
    @PostMapping
    Resp<List<Instance>> startSecond() {
        List<Instance> running = peers.running();
        if (running.size() >= 2) {
            return Resp.buildSuccess("instance.enough", running);
        }
        second.start();
        return Resp.buildSuccess("instance.starting", running);
    }

    /** What has become of the second instance that this one has started. */
    @GetMapping("/second")
    Resp<SecondInstance.State> second() {
        return Resp.buildSuccess(second.state());
    }

    /** Kills it as {@code kill -9} does. */
    @PostMapping("/second/kill")
    Resp<Killed> killSecond() throws InterruptedException {
        String name =
                second.kill().orElseThrow(() -> new BusinessException(HttpStatus.CONFLICT, "instance.none-to-kill"));
        return Resp.buildSuccess(
                "instance.killed", new Killed(name, ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now())));
    }

    /**
     * An instance was killed.
     *
     * @param at the time, in microseconds since 1970
     */
    record Killed(String name, long at) {}
}
