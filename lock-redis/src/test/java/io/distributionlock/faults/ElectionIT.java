package io.distributionlock.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributionlock.testing.RedisProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two processes stand for election at a real server. */
@Tag("server")
@Timeout(300)
@Tag("long")
class ElectionIT {

    private static final Duration MAX_START = Duration.ofSeconds(90);
    private static final Duration MAX_ELECTION = Duration.ofSeconds(60);

    /** Renewed every 20 s: neither its renewal nor its end explains what happens sooner. */
    private static final long LONG_LEASE_MILLIS = 60_000;

    private static final long SHORT_LEASE_MILLIS = 6_000;

    /** For what takes a second, or much less, on an idle machine; less than until the next renewal. */
    private static final long SOON_MILLIS = 10_000;

    private static final int HANDOVERS = 10;

    @AutoClose
    private static final RedisProcess redis = RedisProcess.start();

    private final List<Node> nodes = new ArrayList<>();

    @BeforeEach
    void forgetAll() {
        redis.command("FLUSHALL");
    }

    @AfterEach
    void endAll() {
        nodes.forEach(Node::close);
    }

    /** Two nodes, of which the first leads and the other waits. */
    private void start(long leaseMillis) {
        Stream.generate(() -> new Node(leaseMillis)).limit(2).forEach(nodes::add);
        nodes.forEach(node -> node.process.await("ready", MAX_START));
        nodes.forEach(Node::stand);
    }

    @ParameterizedTest
    @ValueSource(strings = {"DEL distribution-lock:{leader:it}", "FLUSHALL"})
    void aLeaderWhoseLockVanishesStepsDownWithinASecondOrTwo(String command) {
        start(LONG_LEASE_MILLIS);
        Change term = nodes.get(0).await("granted");
        long vanishedAt = System.currentTimeMillis();
        redis.command(command.split(" "));

        Change end = nodes.get(0).await("revoked");
        System.out.println(command + ": the leader stepped down after " + (end.at - vanishedAt) + " ms");
        assertThat(end.at - vanishedAt).isLessThan(SOON_MILLIS);
        assertThat(end.token).isEqualTo(term.token);
        assertThat(awaitNextLeader().token).isGreaterThan(term.token);
    }

    private Change awaitNextLeader() {
        return await().atMost(MAX_ELECTION)
                .until(
                        () -> nodes.stream()
                                .map(node -> node.process.poll("granted"))
                                .filter(Objects::nonNull)
                                .map(Change::of)
                                .findFirst()
                                .orElse(null),
                        Objects::nonNull);
    }

    @Test
    void aLeaderThatStopsHandsOverAtOnce() {
        start(LONG_LEASE_MILLIS);
        long token = nodes.get(0).await("granted").token;
        List<Long> took = new ArrayList<>();
        for (int turn = 0; turn < HANDOVERS; turn++) {
            Node leader = nodes.get(turn % 2);
            long stoppedAt = System.currentTimeMillis();
            leader.process.send("stop");
            Change next = nodes.get((turn + 1) % 2).await("granted");
            assertThat(next.at).isGreaterThanOrEqualTo(leader.await("revoked").at);
            assertThat(next.token).isGreaterThan(token);
            token = next.token;
            took.add(next.at - stoppedAt);
            leader.stand();
        }
        System.out.println("Hand-overs in ms: " + took);
        assertThat(took).allMatch(millis -> millis < SOON_MILLIS);
    }

    @Test
    void aKilledLeaderIsSucceededWhenItsLeaseHasEnded() {
        start(SHORT_LEASE_MILLIS);
        Change term = nodes.get(0).await("granted");
        long validUntil = nodes.get(0).validUntil();
        nodes.get(0).process.kill();
        long killedAt = System.currentTimeMillis();

        Change next = nodes.get(1).await("granted");
        System.out.println("The next leader followed " + (next.at - killedAt) + " ms after the kill, "
                + (next.at - validUntil) + " ms after the lease");
        assertThat(next.at).as("no two leaders by a valid lease").isGreaterThanOrEqualTo(validUntil);
        assertThat(next.at - killedAt).isLessThan(SHORT_LEASE_MILLIS + SOON_MILLIS);
        assertThat(next.token).isGreaterThan(term.token);
    }

    private record Change(long token, long at) {

        static Change of(String line) {
            String[] words = line.split(" ");
            return new Change(Long.parseLong(words[1]), Long.parseLong(words[2]));
        }
    }

    private static final class Node implements AutoCloseable {

        private final ChildProcess process;

        Node(long leaseMillis) {
            process = ChildProcess.start(
                    ElectionProcess.class, String.valueOf(redis.port()), String.valueOf(leaseMillis));
        }

        void stand() {
            process.send("stand");
            process.await("stands", MAX_ELECTION);
        }

        Change await(String what) {
            return Change.of(process.await(what, MAX_ELECTION));
        }

        long validUntil() {
            process.send("lease");
            return Long.parseLong(process.await("until", MAX_ELECTION).split(" ")[1]);
        }

        @Override
        public void close() {
            process.close();
        }
    }
}
