package io.distributionlock.sample.showcase.burst;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Duration;
import java.util.List;

/** Something that the page can run many times at once, with and without the lock. */
public interface Scenario {

    /** The name, also used by the page. */
    String name();

    /** The suggested number of requests. */
    int requests();

    /** The pause between two requests; zero unless their order matters. */
    default Duration gap() {
        return Duration.ZERO;
    }

    /**
     * Creates the data that the requests need. By default, nothing.
     *
     * @param run the name of this run's data: letters and digits, never used before
     */
    default void prepare(String run, int requests) {}

    /**
     * One of the requests.
     *
     * @param number counts from 0
     */
    Call call(String run, int number, boolean locked);

    /**
     * Reads the result from the database, after all requests have been answered.
     *
     * @param done how many requests succeeded; the others may have been busy and have changed nothing
     */
    List<Fact> facts(String run, int requests, int done);

    /** Removes what {@link #prepare} created, as far as it would disturb later runs. */
    default void forget(String run) {}

    /**
     * A request to be sent.
     *
     * @param path the path after {@code /api/v1}, encoded, with its query; begins with a slash
     */
    record Call(String method, String path) {

        /** Creates the call of the locked method or of its twin without the lock. */
        public static Call of(String method, boolean locked, String path) {
            return new Call(method, locked ? path : "/without-lock" + path);
        }
    }

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
}
