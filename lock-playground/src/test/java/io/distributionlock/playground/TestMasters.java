package io.distributionlock.playground;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;

/** The three masters of a test's instances, which start and stop them. */
final class TestMasters {

    /** Far more than the few seconds until a restarted server counts. */
    private static final Duration GENEROUS = Duration.ofSeconds(60);

    private final List<Integer> ports;

    private TestMasters(List<Integer> ports) {
        this.ports = ports;
    }

    static TestMasters atFreePorts() {
        return new TestMasters(
                IntStream.range(0, 3).mapToObj(i -> FreePorts.next()).toList());
    }

    int port(int index) {
        return ports.get(index);
    }

    /** The properties that make an instance use them. */
    List<String> properties() {
        return List.of("distribution-lock.quorum.nodes="
                + ports.stream().map(port -> "redis://127.0.0.1:" + port).collect(Collectors.joining(",")));
    }

    void kill(Instance by, int index) {
        assertThat(Command.to(by.port(), "/v1/masters/" + port(index) + "/kill"))
                .matches(Answer::isDone, "killed");
        await().atMost(GENEROUS).until(() -> !state(by, index).path("up").asBoolean());
    }

    void start(Instance by, int index) {
        assertThat(Command.to(by.port(), "/v1/masters/" + port(index) + "/start"))
                .matches(Answer::isDone, "started");
    }

    /** Starts those that are down, and waits until all count for these instances. */
    void allCount(Instance... instances) {
        for (Instance instance : instances) {
            IntStream.range(0, ports.size()).forEach(index -> start(instance, index));
        }
        for (Instance instance : instances) {
            await().atMost(GENEROUS).until(() -> count(instance, TestMasters::counts) == ports.size());
        }
    }

    JsonNode state(Instance asked, int index) {
        return StreamSupport.stream(states(asked).spliterator(), false)
                .filter(state -> state.path("port").asInt() == port(index))
                .findAny()
                .orElseThrow();
    }

    static boolean counts(JsonNode state) {
        return state.path("up").asBoolean() && state.path("countsInSeconds").asInt() == 0;
    }

    /** How many answer, without the help of an instance. */
    int answering() {
        return (int) ports.stream().filter(TestMasters::answers).count();
    }

    /** Stops servers left by a test that failed or killed all instances. */
    void endThoseLeft() {
        ports.forEach(port -> {
            RedisClient client = RedisClient.create(RedisURI.create("127.0.0.1", port));
            try (StatefulRedisConnection<String, String> orphan = client.connect()) {
                orphan.sync().shutdown(false);
            } catch (RedisException alreadyGone) {
                // Expected after a successful test.
            } finally {
                client.shutdown();
            }
        });
    }

    private static boolean answers(int port) {
        RedisClient client = RedisClient.create(RedisURI.create("127.0.0.1", port));
        try (StatefulRedisConnection<String, String> connection = client.connect()) {
            return connection.isOpen();
        } catch (RedisException gone) {
            return false;
        } finally {
            client.shutdown();
        }
    }

    private static long count(Instance asked, Predicate<JsonNode> wanted) {
        return StreamSupport.stream(states(asked).spliterator(), false)
                .filter(wanted)
                .count();
    }

    private static JsonNode states(Instance asked) {
        return Answer.to("GET", asked.port(), "/v1/masters").json().path("data");
    }
}
