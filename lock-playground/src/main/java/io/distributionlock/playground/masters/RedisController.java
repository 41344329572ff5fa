package io.distributionlock.playground.masters;

import io.distributionlock.playground.web.BusinessException;
import io.distributionlock.playground.web.Resp;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** The Redis of the locks, for the page: shows whether it is up, kills and restarts it. */
@RestController
@RequestMapping("/v1/redis")
class RedisController {

    private final MainRedis redis;

    RedisController(MainRedis redis) {
        this.redis = redis;
    }

    @GetMapping
    Resp<MainRedis.State> state() {
        return Resp.buildSuccess(redis.state());
    }

    /** Kills it as {@code kill -9} does. */
    @PostMapping("/kill")
    Resp<MastersController.Turn> kill() {
        return turned(redis.kill(), "master.killed");
    }

    /** Starts it again, empty; returns when it answers. */
    @PostMapping("/start")
    Resp<MastersController.Turn> start() {
        return turned(redis.start(), "master.running");
    }

    private Resp<MastersController.Turn> turned(boolean done, String message) {
        if (!done) {
            throw new BusinessException(HttpStatus.CONFLICT, "master.not-ours", redis.where());
        }
        return Resp.buildSuccess(message, MastersController.Turn.now());
    }
}
