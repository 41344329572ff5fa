package io.distributionlock.playground.instances;

import io.distributionlock.LockTemplate;
import io.distributionlock.leader.LeaderElection;
import io.distributionlock.playground.web.BusinessException;
import io.distributionlock.playground.web.Resp;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.CompletableFuture;
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
    private final LeaderElection election;
    private final LockTemplate locks;

    InstanceController(Peers peers, SecondInstance second, LeaderElection election, LockTemplate locks) {
        this.peers = peers;
        this.second = second;
        this.election = election;
        this.locks = locks;
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

    /** Takes its lock from the leader, whichever instance that is. The next one follows. */
    @PostMapping("/leader/step-down")
    CompletableFuture<Resp<Boolean>> stepDown() {
        return locks.forceRelease(election.lockName()).thenApply(Resp::buildSuccess);
    }

    /**
     * An instance was killed.
     *
     * @param at the time, in microseconds since 1970
     */
    record Killed(String name, long at) {}
}
