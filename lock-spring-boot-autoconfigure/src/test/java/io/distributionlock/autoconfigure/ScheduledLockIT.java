package io.distributionlock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.annotation.ScheduledLock;
import io.distributionlock.testing.AutoConfigurationWithoutDatabase;
import io.distributionlock.testing.RedisProcess;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

/**
 * A scheduled job on two real processes: over a minute each of its turns runs once; after one process has been killed it is once
 * per turn again as soon as the dead holder's lease is over. A turn is so long that a process may be late by half of it: it
 * neither finds the lock free again nor keeps it into the next turn. {@code -Dlock.scheduled.turns} changes how many there are.
 */
@Tag("long")
class ScheduledLockIT {

    private static final int TURN_SECONDS = 4;
    private static final int TURNS = Integer.getInteger("lock.scheduled.turns", 15);
    private static final int TURNS_AFTER_THE_KILL = 4;
    private static final Duration LONG = Duration.ofSeconds(60);

    private final List<Process> processes = new ArrayList<>();

    @AfterEach
    void endProcesses() throws InterruptedException {
        for (Process process : processes) {
            process.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
        }
    }

    @Test
    void eachTurnRunsOnceOverTwoProcessesAlsoAfterOneIsKilled(@TempDir Path logs) throws IOException {
        try (RedisProcess redis = RedisProcess.start()) {
            LettuceConnectionFactory connections = new LettuceConnectionFactory("127.0.0.1", redis.port());
            connections.afterPropertiesSet();
            connections.start();
            try {
                StringRedisTemplate template = new StringRedisTemplate(connections);
                start("one", redis.port(), logs);
                start("two", redis.port(), logs);
                Awaitility.await().atMost(LONG).until(() -> nodesThatAreUp(template) == 2);

                long from = currentTurn() + 1;
                awaitTurn(from + TURNS);
                assertOnceEach(template, from, from + TURNS - 1, 0);

                processes.get(0).destroyForcibly();
                long killed = currentTurn();
                awaitTurn(killed + TURNS_AFTER_THE_KILL + 1);
                // The turn under way when the process died, and the one that its lease may reach into.
                assertOnceEach(template, killed, killed + TURNS_AFTER_THE_KILL, 2);
                assertOnceEach(template, killed + 2, killed + TURNS_AFTER_THE_KILL, 0);
            } finally {
                connections.destroy();
            }
        }
    }

    private static int nodesThatAreUp(StringRedisTemplate template) {
        Long nodes = template.opsForSet().size("nodes");
        return nodes == null ? 0 : nodes.intValue();
    }

    private static long currentTurn() {
        return Instant.now().getEpochSecond() / TURN_SECONDS;
    }

    private static void awaitTurn(long turn) {
        Awaitility.await().atMost(LONG.plusSeconds(2L * TURN_SECONDS * TURNS)).until(() -> currentTurn() >= turn);
    }

    private static void assertOnceEach(StringRedisTemplate template, long first, long last, int mayBeMissing) {
        List<String> all = template.opsForList().range("turns", 0, -1);
        assertThat(all).isNotNull();
        Map<Long, Long> runs = all.stream()
                .map(Long::valueOf)
                .filter(turn -> turn >= first && turn <= last)
                .collect(Collectors.groupingBy(turn -> turn, TreeMap::new, Collectors.counting()));
        assertThat(runs.values()).as("how often each turn ran: %s", runs).allMatch(times -> times == 1);
        assertThat((long) runs.size())
                .as("turns that ran, of %d to %d: %s", first, last, runs)
                .isGreaterThanOrEqualTo(last - first + 1 - mayBeMissing);
    }

    private void start(String name, int port, Path logs) throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        File log = logs.resolve(name + ".log").toFile();
        processes.add(new ProcessBuilder(
                        java,
                        "-Xmx128m",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        classPath,
                        Node.class.getName(),
                        name,
                        Integer.toString(port))
                .redirectErrorStream(true)
                .redirectOutput(log)
                .start());
    }

    /** One process of the application. */
    @Configuration(proxyBeanMethods = false)
    @AutoConfigurationWithoutDatabase
    @EnableScheduling
    @Import(Job.class)
    public static class Node {

        public static void main(String[] arguments) {
            new SpringApplicationBuilder(Node.class)
                    .web(WebApplicationType.NONE)
                    .properties(
                            "node=" + arguments[0],
                            "spring.data.redis.host=127.0.0.1",
                            "spring.data.redis.port=" + arguments[1])
                    .run();
        }
    }

    /** Writes down each turn that it runs. */
    public static class Job {

        private final StringRedisTemplate redis;
        private final String node;

        public Job(StringRedisTemplate redis, @Value("${node}") String node) {
            this.redis = redis;
            this.node = node;
        }

        @Scheduled(cron = "* * * * * *")
        public void presence() {
            redis.opsForSet().add("nodes", node);
        }

        @Scheduled(cron = "*/" + TURN_SECONDS + " * * * * *")
        @ScheduledLock(name = "turn", lockAtLeastFor = "2s", lockAtMostFor = "3800ms")
        public void turn() {
            redis.opsForList().rightPush("turns", Long.toString(currentTurn()));
        }
    }
}
