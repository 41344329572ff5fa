package io.distributionlock.playground.burst;

import io.distributionlock.playground.comparison.WithoutLock;
import io.distributionlock.playground.instances.Instance;
import io.distributionlock.playground.instances.Peers;
import io.distributionlock.playground.web.BusinessException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpStatus;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.ObjectMapper;

/** Sends bursts: concurrent HTTP requests to all running instances in turn. One burst at a time. */
@Component
class Bursts {

    private static final Logger LOG = LoggerFactory.getLogger(Bursts.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final int KEPT = 50;

    private final Peers peers;
    private final JdbcClient database;
    private final Arrivals arrivals;
    private final ObjectMapper json;
    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(TIMEOUT)
            .build();
    private final Map<String, Burst> bursts = new LinkedHashMap<>();
    private @Nullable Burst latest;

    Bursts(Peers peers, JdbcClient database, Arrivals arrivals, ObjectMapper json) {
        this.peers = peers;
        this.database = database;
        this.arrivals = arrivals;
        this.json = json;
    }

    /** Starts a burst without waiting for its answers. Throws a {@link BusinessException} if one is running. */
    Burst begin(Scenario scenario, int requests, boolean locked) {
        List<Instance> instances = peers.running();
        if (instances.isEmpty()) {
            throw new BusinessException(HttpStatus.CONFLICT, "burst.no-instance");
        }
        Burst burst = new Burst(
                newRun(),
                scenario.name(),
                locked,
                requests,
                instances.stream().map(Instance::name).toList());
        keep(burst);
        // On a separate thread, because it pauses.
        Thread thread = new Thread(() -> run(burst, scenario, instances), "burst");
        thread.setDaemon(true);
        thread.start();
        return burst;
    }

    synchronized Optional<Burst> find(String run) {
        return Optional.ofNullable(bursts.get(run));
    }

    private synchronized void keep(Burst burst) {
        if (latest != null && !latest.isFinished()) {
            throw new BusinessException(
                    HttpStatus.LOCKED, "burst.running", latest.age().toSeconds());
        }
        latest = burst;
        bursts.put(burst.run(), burst);
        if (bursts.size() > KEPT) {
            bursts.remove(bursts.keySet().iterator().next());
        }
    }

    private void run(Burst burst, Scenario scenario, List<Instance> instances) {
        List<Scenario.Fact> facts = null;
        try {
            facts = play(burst, scenario, instances);
        } catch (InterruptedException | RuntimeException failed) {
            LOG.warn("The burst {} of {} failed", burst.run(), scenario.name(), failed);
            burst.broken(failed);
        } finally {
            burst.finished(facts);
        }
    }

    private List<Scenario.Fact> play(Burst burst, Scenario scenario, List<Instance> instances)
            throws InterruptedException {
        Scenario.Play play = scenario.play(database, burst.run(), burst.requests());
        try {
            play.prepare();
            String queue = burst.isLocked() ? play.queue() : null;
            List<CompletableFuture<Void>> answers = new ArrayList<>();
            for (int number = 0; number < burst.requests(); number++) {
                answers.add(send(burst, number, instances.get(number % instances.size()), play.request(number)));
                Thread.sleep(scenario.gap().toMillis());
                if (queue != null) {
                    arrivals.await(number + 1, burst, queue);
                }
            }
            CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new)).join();
            return play.facts(burst.done());
        } finally {
            play.clean();
        }
    }

    private CompletableFuture<Void> send(Burst burst, int number, Instance instance, String methodAndPath) {
        String[] parts = methodAndPath.split(" ", 2);
        HttpRequest request = HttpRequest.newBuilder(URI.create(instance.url() + "/v1" + parts[1]))
                .method(parts[0], BodyPublishers.noBody())
                .header(WithoutLock.RUN, burst.run())
                .header(WithoutLock.NUMBER, String.valueOf(number))
                .header(WithoutLock.LOCK, burst.isLocked() ? "on" : WithoutLock.OFF)
                .timeout(TIMEOUT)
                .build();
        return client.sendAsync(request, BodyHandlers.ofString(StandardCharsets.UTF_8))
                .thenAccept(response -> burst.answered(number, codeOf(response.body())))
                .exceptionally(failure -> {
                    LOG.debug("No answer to {}", request, failure);
                    burst.notAnswered(failure);
                    return null;
                });
    }

    private int codeOf(String body) {
        try {
            return json.readTree(body).required("code").asInt();
        } catch (JacksonException unreadable) {
            throw new IllegalArgumentException("Not a Resp: " + body, unreadable);
        }
    }

    private static String newRun() {
        return Long.toString(System.currentTimeMillis(), Character.MAX_RADIX)
                + Integer.toString(ThreadLocalRandom.current().nextInt(36 * 36 * 36), Character.MAX_RADIX);
    }
}
