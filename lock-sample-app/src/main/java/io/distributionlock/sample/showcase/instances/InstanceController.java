package io.distributionlock.sample.showcase.instances;

import io.distributionlock.sample.web.Resp;
import java.util.List;
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
            return Resp.buildSuccess("已有 " + running.size() + " 个实例在运行", running);
        }
        second.start();
        return Resp.buildSuccess("正在启动第二个实例", running);
    }
}
