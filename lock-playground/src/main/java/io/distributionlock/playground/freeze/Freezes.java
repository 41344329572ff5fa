package io.distributionlock.playground.freeze;

import io.distributionlock.playground.comparison.WithoutLock;
import io.distributionlock.playground.instances.Instance;
import io.distributionlock.playground.instances.Peers;
import io.distributionlock.playground.instances.SecondInstance;
import io.distributionlock.playground.web.BusinessException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/**
 * Stops the second instance while it is about to commit three sales, lets this one sell the same items, and wakes the
 * second again. One run at a time.
 */
@Component
class Freezes {

    private static final Logger LOG = LoggerFactory.getLogger(Freezes.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final long LOOK_AGAIN_MILLIS = 20;

    /** Long enough to be seen in the picture. */
    private static final Duration SHORT = Duration.ofMillis(450);

    private final Peers peers;
    private final SecondInstance second;
    private final LastItemSales sales;
    private final ObjectMapper json;
    private final Duration pause;
    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(TIMEOUT)
            .build();
    private @Nullable Freeze latest;

    Freezes(
            Peers peers,
            SecondInstance second,
            LastItemSales sales,
            ObjectMapper json,
            @Value("${playground.freeze.pause:2s}") Duration pause) {
        this.peers = peers;
        this.second = second;
        this.sales = sales;
        this.json = json;
        this.pause = pause;
    }

    /** Begins a run without waiting for its end. Throws a {@link BusinessException} if one is under way, or none can be stopped. */
    synchronized Freeze begin() {
        if (latest != null && !latest.isFinished()) {
            throw new BusinessException(
                    HttpStatus.LOCKED, "burst.running", latest.age().toSeconds());
        }
        Instance frozen = running(peers::isSecond, "instance.none-to-freeze");
        Instance other = running(peers::isSelf, "burst.no-instance");
        Freeze freeze =
                new Freeze(Long.toString(System.currentTimeMillis(), Character.MAX_RADIX), frozen.name(), other.name());
        latest = freeze;
        Thread thread = new Thread(() -> run(freeze, frozen, other), "freeze");
        thread.setDaemon(true);
        thread.start();
        return freeze;
    }

    synchronized Optional<Freeze> find(String run) {
        return Optional.ofNullable(latest).filter(freeze -> freeze.run().equals(run));
    }

    private Instance running(Predicate<String> wanted, String otherwise) {
        return peers.running().stream()
                .filter(instance -> wanted.test(instance.name()))
                .findAny()
                .orElseThrow(() -> new BusinessException(HttpStatus.CONFLICT, otherwise));
    }

    private void run(Freeze freeze, Instance frozen, Instance other) {
        String failure = null;
        try {
            play(freeze, frozen, other);
        } catch (Exception e) {
            LOG.warn("The run {} was not played to its end", freeze.run(), e);
            failure = String.valueOf(e.getMessage());
        } finally {
            freeze.finished(failure);
        }
    }

    private void play(Freeze freeze, Instance frozen, Instance other) throws Exception {
        CompletableFuture<?> late = all(freeze, frozen, pause);
        awaitCommits(freeze, late);
        Thread.sleep(SHORT.toMillis());
        try (AutoCloseable untilWoken = second.freeze()) {
            freeze.stopped();
            all(freeze, other, SHORT).get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
            Thread.sleep(SHORT.toMillis());
        } finally {
            freeze.woken();
        }
        late.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        for (Guard guard : Guard.values()) {
            freeze.sold(guard, sales.sellers(freeze.item(guard)));
            sales.forget(freeze.item(guard));
        }
    }

    /** Waits until the second instance is about to commit all its sales. */
    private void awaitCommits(Freeze freeze, CompletableFuture<?> late) throws InterruptedException {
        String path = "/v1/timeline?run=" + freeze.run();
        while (peers.ask(freeze.frozen(), path).map(this::commits).orElse(0L) < Guard.values().length) {
            if (late.isDone()) {
                throw new IllegalStateException(freeze.frozen() + " has answered before it could be stopped");
            }
            Thread.sleep(LOOK_AGAIN_MILLIS);
        }
    }

    private long commits(String timeline) {
        JsonNode visits = json.readTree(timeline).path("data").path("visits");
        return visits.valueStream()
                .flatMap(visit -> visit.path("sections").valueStream())
                .filter(section -> section.path("name").asString().equals(SlowCommit.SHOWN_AS)
                        && section.path("left").isNull())
                .count();
    }

    /** One sale of each item. */
    private CompletableFuture<?> all(Freeze freeze, Instance seller, Duration beforeCommit) {
        return CompletableFuture.allOf(Arrays.stream(Guard.values())
                .map(guard -> client.sendAsync(
                        HttpRequest.newBuilder(URI.create(seller.url() + "/v1/last-items/" + freeze.item(guard)
                                        + "/sales?guard=" + guard + "&pause=" + beforeCommit.toMillis()))
                                .POST(BodyPublishers.noBody())
                                .header(WithoutLock.RUN, freeze.run())
                                .timeout(TIMEOUT)
                                .build(),
                        BodyHandlers.discarding()))
                .toArray(CompletableFuture[]::new));
    }
}
