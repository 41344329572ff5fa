package io.distributionlock.playground.burst;

import io.distributionlock.playground.web.RespCode;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** A burst of requests, running or finished. Thread-safe. */
final class Burst {

    private static final int MAX_TEXT_LENGTH = 400;

    private final String run;
    private final String scenario;
    private final boolean locked;
    private final int requests;
    private final List<String> instances;
    private final Map<Integer, Integer> answers = new TreeMap<>();
    private final Map<Integer, Long> answeredAt = new TreeMap<>();
    private final Map<String, Integer> failures = new TreeMap<>();
    private final Instant begun = Instant.now();
    private int failed;
    private boolean finished;
    private @Nullable List<Scenario.Fact> facts;

    Burst(String run, String scenario, boolean locked, int requests, List<String> instances) {
        this.run = run;
        this.scenario = scenario;
        this.locked = locked;
        this.requests = requests;
        this.instances = List.copyOf(instances);
    }

    String run() {
        return run;
    }

    int requests() {
        return requests;
    }

    boolean isLocked() {
        return locked;
    }

    synchronized void answered(int number, int code) {
        if (!finished) {
            answers.merge(code, 1, Integer::sum);
            answeredAt.put(number, ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now()));
        }
    }

    /** How many requests were answered with success. */
    synchronized int done() {
        return answers.getOrDefault(RespCode.SUCCESS, 0);
    }

    /** How many requests have been answered or have failed. */
    synchronized int ended() {
        return answered() + failed;
    }

    /** @param why what kept the answer away */
    synchronized void notAnswered(Throwable why) {
        if (!finished) {
            failed++;
            failures.merge(textOf(why), 1, Integer::sum);
        }
    }

    /** What was not sent yet will not be. */
    synchronized void broken(Throwable why) {
        int rest = requests - ended();
        if (rest > 0) {
            failures.merge(textOf(why), rest, Integer::sum);
        }
    }

    private static String textOf(Throwable failure) {
        Throwable why =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        String text = why.getMessage() == null ? why.getClass().getSimpleName() : why.getMessage();
        return text.length() <= MAX_TEXT_LENGTH ? text : text.substring(0, MAX_TEXT_LENGTH) + " …";
    }

    /** Ends the burst. Requests without an answer, perhaps never sent, count as failed. */
    synchronized void finished(@Nullable List<Scenario.Fact> result) {
        failed = requests - answered();
        facts = result;
        finished = true;
    }

    /** How long ago it began. */
    Duration age() {
        return Duration.between(begun, Instant.now());
    }

    private int answered() {
        return answers.values().stream().mapToInt(Integer::intValue).sum();
    }

    synchronized boolean isFinished() {
        return finished;
    }

    synchronized State state() {
        return new State(
                run,
                scenario,
                locked,
                requests,
                instances,
                Map.copyOf(answers),
                Map.copyOf(answeredAt),
                failed,
                Map.copyOf(failures),
                finished,
                facts);
    }

    /**
     * The progress of a burst.
     *
     * @param instances the instances that receive the requests in turn
     * @param answers the number of answers by code
     * @param answeredAt when each request was answered, by its number, in microseconds since 1970
     * @param failed the number of requests without a readable answer
     * @param failures what kept answers away, and how many
     * @param facts the result; null until the burst is finished, or if it could not be read
     */
    record State(
            String run,
            String scenario,
            boolean locked,
            int requests,
            List<String> instances,
            Map<Integer, Integer> answers,
            Map<Integer, Long> answeredAt,
            int failed,
            Map<String, Integer> failures,
            boolean finished,
            @Nullable List<Scenario.Fact> facts) {}
}
