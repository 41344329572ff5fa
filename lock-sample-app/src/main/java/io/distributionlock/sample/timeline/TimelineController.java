package io.distributionlock.sample.timeline;

import io.distributionlock.sample.instances.Peers;
import io.distributionlock.sample.web.Resp;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** What the page draws. An instance that is asked about another one asks that one. */
@RestController
@RequestMapping("/v1/timeline")
class TimelineController {

    private final Timeline timeline;
    private final Peers peers;

    TimelineController(Timeline timeline, Peers peers) {
        this.timeline = timeline;
        this.peers = peers;
    }

    @GetMapping
    ResponseEntity<?> since(
            @RequestParam(required = false) @Nullable String instance,
            @RequestParam(defaultValue = "0") long after,
            @RequestParam(required = false) @Nullable String run) {
        if (isHere(instance)) {
            return ResponseEntity.ok(Resp.buildSuccess(timeline.since(after, run)));
        }
        return relay(instance, "/v1/timeline?after=" + after + (run == null ? "" : "&run=" + encoded(run)));
    }

    @GetMapping("/open")
    ResponseEntity<?> open(@RequestParam(required = false) @Nullable String instance) {
        return isHere(instance)
                ? ResponseEntity.ok(Resp.buildSuccess(timeline.open()))
                : relay(instance, "/v1/timeline/open");
    }

    private boolean isHere(@Nullable String instance) {
        return instance == null || peers.isSelf(instance);
    }

    private ResponseEntity<String> relay(@Nullable String instance, String pathAndQuery) {
        return ResponseEntity.ok()
                .contentType(MediaType.APPLICATION_JSON)
                .body(peers.ask(String.valueOf(instance), pathAndQuery));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
