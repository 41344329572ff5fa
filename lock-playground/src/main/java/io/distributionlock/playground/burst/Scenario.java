package io.distributionlock.playground.burst;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Something that the page can run many times at once, with and without the lock. It consists of requests and of SQL, in
 * which {@code :run} is the name of the data of this run and {@code :user} the number of a user who takes part in no
 * other run.
 */
public final class Scenario {

    private final String name;
    private final int requests;
    private final IntFunction<String> request;
    private final Map<String, IntUnaryOperator> values = new LinkedHashMap<>();
    private final List<String> preparation = new ArrayList<>();
    private final List<Count> counts = new ArrayList<>();
    private final List<String> cleaning = new ArrayList<>();
    private Duration gap = Duration.ZERO;
    private @Nullable String queue;

    private Scenario(String name, int requests, IntFunction<String> request) {
        this.name = name;
        this.requests = requests;
        this.request = request;
    }

    /**
     * A scenario without data and facts.
     *
     * @param name also used by the page
     * @param requests the suggested number of requests
     * @param request the method and path of a request by its number, which counts from 0; <code>{run}</code> and
     *     <code>{user}</code> are replaced
     */
    public static Scenario of(String name, int requests, IntFunction<String> request) {
        return new Scenario(name, requests, request);
    }

    /** Pauses between two requests. */
    public Scenario gap(Duration pause) {
        gap = pause;
        return this;
    }

    /** With the lock, sends each request when the one before has reached this lock: it holds it or waits for it. */
    public Scenario queue(String lock) {
        queue = lock;
        return this;
    }

    /** One more value for the SQL, which follows from the number of requests. */
    public Scenario value(String parameter, IntUnaryOperator ofRequests) {
        values.put(parameter, ofRequests);
        return this;
    }

    /** Creates the data that the requests need. */
    public Scenario prepare(String sql) {
        preparation.add(sql);
        return this;
    }

    /** Counts a result in the database after all requests have been answered. */
    public Scenario fact(String fact, Expected expected, String sql) {
        counts.add(new Count(fact, expected, sql));
        return this;
    }

    /** Removes data that would disturb later runs. */
    public Scenario clean(String sql) {
        cleaning.add(sql);
        return this;
    }

    String name() {
        return name;
    }

    int requests() {
        return requests;
    }

    Duration gap() {
        return gap;
    }

    /** One run of this scenario. */
    Play play(JdbcClient database, String run, int actualRequests) {
        return new Play(database, run, actualRequests);
    }

    /** The correct value of a fact. */
    @FunctionalInterface
    public interface Expected {

        /**
         * Returns the value for this run.
         *
         * @param done how many requests succeeded; the others may have been busy and have changed nothing
         */
        long of(int requests, int done);
    }

    private record Count(String fact, Expected expected, String sql) {}

    /**
     * A result and what it has to be.
     *
     * @param name the key of its text on the page
     * @param expected the correct value
     * @param actual the value in the database
     */
    record Fact(String name, long expected, long actual) {

        /** Whether the value is correct. */
        @JsonProperty
        public boolean holds() {
            return expected == actual;
        }
    }

    /** One run of the scenario. */
    final class Play {

        private final JdbcClient database;
        private final String run;
        private final int actualRequests;
        private final Map<String, Object> parameters = new LinkedHashMap<>();

        private Play(JdbcClient database, String run, int actualRequests) {
            this.database = database;
            this.run = run;
            this.actualRequests = actualRequests;
            parameters.put("run", run);
            parameters.put("user", user());
            values.forEach((parameter, value) -> parameters.put(parameter, value.applyAsInt(actualRequests)));
        }

        void prepare() {
            preparation.forEach(this::update);
        }

        /** The method and the path after {@code /api/v1} of a request. */
        String request(int number) {
            return filled(request.apply(number));
        }

        /** The lock that the requests reach one by one, if their order matters. */
        @Nullable
        String queue() {
            return queue == null ? null : filled(queue);
        }

        List<Fact> facts(int done) {
            return counts.stream()
                    .map(count ->
                            new Fact(count.fact(), count.expected().of(actualRequests, done), number(count.sql())))
                    .toList();
        }

        void clean() {
            cleaning.forEach(this::update);
        }

        private String filled(String template) {
            return template.replace("{run}", run).replace("{user}", Integer.toString(user()));
        }

        /** The names of runs begin with the time, so that each run has a user of its own. */
        private int user() {
            return 1_000_000_000 + Math.floorMod(run.hashCode(), 1_000_000_000);
        }

        private void update(String sql) {
            database.sql(sql).params(parameters).update();
        }

        private long number(String sql) {
            return database.sql(sql).params(parameters).query(Long.class).single();
        }
    }
}
