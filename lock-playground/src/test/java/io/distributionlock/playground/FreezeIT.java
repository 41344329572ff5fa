package io.distributionlock.playground;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** A process is stopped at its commits by SIGSTOP, until another one has taken its locks and has committed. */
@Tag("long")
class FreezeIT {

    private static final Duration GENEROUS = Duration.ofMinutes(2);

    private Backends backends;
    private Instance first;
    private String second;

    @BeforeEach
    void startTwo() {
        backends = new Backends();
        first = backends.start(
                "first",
                List.of(
                        // The second gets a port near it.
                        "server.port=" + FreePorts.next(),
                        // Much longer than it takes to stop a process, even on a busy machine.
                        "playground.freeze.pause=10s",
                        "distribution-lock.locks.lastItem.lease-time=8s",
                        Patience.WITH_ORDERS));
        first.warmUp();
        assertThat(Command.to(first.port(), "/v1/instances")).matches(Answer::isDone, "done");
        second = await().atMost(GENEROUS)
                .until(() -> second(), state -> state.path("phase").asString().equals("RUNNING"))
                .path("name")
                .asString();
    }

    @AfterEach
    void endEverything() {
        first.close();
        backends.close();
    }

    @Test
    void onlyTheDatabaseRefusesTheLateCommit() {
        // The second run shows that the first has left nothing behind.
        for (int time = 1; time <= 2; time++) {
            String run = begin();
            JsonNode end = await().atMost(GENEROUS)
                    .until(() -> state(run), state -> state.path("finished").asBoolean());

            assertThat(end.path("failure").isNull()).as(end.toString()).isTrue();
            assertThat(sellers(end, "NONE")).containsExactlyInAnyOrder("first", second);
            assertThat(sellers(end, "LOCK")).containsExactlyInAnyOrder("first", second);
            assertThat(sellers(end, "DATABASE")).containsExactly("first");

            Map<String, JsonNode> late = visits(run, second);
            Map<String, JsonNode> other = visits(run, "first");
            assertThat(late.get("DATABASE").path("code").asInt()).isEqualTo(3);
            assertThat(late.get("DATABASE").path("cause").asString())
                    .contains("overtaken", token(other.get("DATABASE")), token(late.get("DATABASE")));
            long woken = end.path("wokenAt").asLong();
            for (String guard : List.of("NONE", "LOCK", "DATABASE")) {
                assertThat(List.of(
                                late.get(guard).path("asked").asLong(),
                                end.path("stoppedAt").asLong(),
                                left(other.get(guard)),
                                woken,
                                left(late.get(guard))))
                        .as("asked, stopped, the other sells, woken, commits late: %s", guard)
                        .isSorted();
                assertThat(other.get(guard).path("code").asInt()).as(guard).isZero();
            }
            assertThat(second().path("phase").asString()).isEqualTo("RUNNING");
        }
    }

    /** A stopped process would stay for ever: it cannot see that the one that started it has ended. */
    @Test
    void aFrozenInstanceEndsIfTheOneThatFrozeItIsKilled() {
        String run = begin();
        await().atMost(GENEROUS).until(() -> !state(run).path("stoppedAt").isNull());
        assertThat(second().path("phase").asString()).isEqualTo("FROZEN");
        List<ProcessHandle> started = first.descendants();
        assertThat(started).isNotEmpty();

        first.kill();

        await().atMost(GENEROUS).until(() -> started.stream().noneMatch(ProcessHandle::isAlive));
    }

    private String begin() {
        return Command.to(first.port(), "/v1/freezes")
                .json()
                .path("data")
                .path("run")
                .asString();
    }

    private JsonNode state(String run) {
        return Answer.to("GET", first.port(), "/v1/freezes/" + run).json().path("data");
    }

    private JsonNode second() {
        return Answer.to("GET", first.port(), "/v1/instances/second").json().path("data");
    }

    /** By what guards the item. */
    private Map<String, JsonNode> visits(String run, String instance) {
        String path = "/v1/timeline?run=" + run + "&instance=" + instance;
        JsonNode all = await().atMost(GENEROUS)
                .until(
                        () -> Answer.to("GET", first.port(), path)
                                .json()
                                .path("data")
                                .path("visits"),
                        visits -> visits.size() == 3
                                && visits.valueStream()
                                        .allMatch(
                                                visit -> visit.path("answered").isNumber()));
        return all.valueStream()
                .collect(Collectors.toMap(
                        visit -> visit.path("request").asString().replaceFirst(".*-(\\w+)/sales", "$1"),
                        visit -> visit));
    }

    private static List<String> sellers(JsonNode state, String guard) {
        return state.path("sellers")
                .path(guard)
                .valueStream()
                .map(JsonNode::asString)
                .toList();
    }

    private static long left(JsonNode visit) {
        return visit.path("sections").path(0).path("left").asLong();
    }

    private static String token(JsonNode visit) {
        return visit.path("sections")
                .path(0)
                .path("locks")
                .path(0)
                .path("token")
                .asString();
    }
}
