package io.distributionlock.playground.timeline;

import io.distributionlock.leader.LeaderElection;
import io.distributionlock.playground.instances.Peers;
import io.distributionlock.playground.web.Resp;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The data that the page draws. Questions about another instance are passed on to it. */
@RestController
@RequestMapping("/v1/timeline")
class TimelineController {

    private final Timeline timeline;
    private final Waiting waiting;
    private final LeaderElection election;
    private final Peers peers;

    TimelineController(Timeline timeline, Waiting waiting, LeaderElection election, Peers peers) {
        this.timeline = timeline;
        this.waiting = waiting;
        this.election = election;
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
        String path = "/v1/timeline?after=" + after + (run == null ? "" : "&run=" + encoded(run));
        return relay(instance, path, Timeline.Changes.silent(after));
    }

    @GetMapping("/open")
    ResponseEntity<?> open(@RequestParam(required = false) @Nullable String instance) {
        return isHere(instance)
                ? ResponseEntity.ok(Resp.buildSuccess(new Open(true, timeline.open(), waiting.locks(), term())))
                : relay(instance, "/v1/timeline/open", new Open(false, List.of(), List.of(), null));
    }

    private @Nullable String term() {
        return election.term().map(term -> String.valueOf(term.fencingToken())).orElse(null);
    }

    private boolean isHere(@Nullable String instance) {
        return instance == null || peers.isSelf(instance);
    }

    private ResponseEntity<?> relay(@Nullable String instance, String pathAndQuery, Object silence) {
        return peers.ask(String.valueOf(instance), pathAndQuery)
                .<ResponseEntity<?>>map(answer -> ResponseEntity.ok()
                        .contentType(MediaType.APPLICATION_JSON)
                        .body(answer))
                .orElseGet(() -> ResponseEntity.ok(Resp.buildSuccess(silence)));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    /**
     * What is happening now.
     *
     * @param answers false if the instance does not answer, so that nothing is known
     * @param visits the visits that are waiting or working
     * @param waiting the locks that are being waited for
     * @param term the fencing token of its term, if this instance is the leader
     */
    record Open(
            boolean answers,
            List<Visit> visits,
            List<Waiting.WantedLock> waiting,
            @Nullable String term) {}
}
