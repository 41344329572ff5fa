package io.distributionlock.sample.burst;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Duration;
import java.util.List;

/** What the page can let happen many times at once, with the lock and without it. */
public interface Scenario {

    /** What names it, on the page too. */
    String name();

    /** How many requests show it well. */
    int requests();

    /** How long to wait between two requests; none unless their order matters. */
    default Duration gap() {
        return Duration.ZERO;
    }

    /**
     * Makes ready what the requests will need; unless told otherwise, nothing.
     *
     * @param run names the data of this run: letters and digits, never used before
     */
    default void prepare(String run, int requests) {}

    /**
     * One of the requests.
     *
     * @param number from 0 on
     */
    Call call(String run, int number, boolean locked);

    /**
     * What has come of it, read from the database when all requests have been answered.
     *
     * @param done how many were told that it was done; the others may have been told busy, and then nothing has come of them
     */
    List<Fact> facts(String run, int requests, int done);

    /** Takes away what {@link #prepare} made, all or only some of it, where it would be in the way. */
    default void forget(String run) {}

    /**
     * A request to be sent.
     *
     * @param path what follows {@code /api/v1}, encoded, with its query; begins with a slash
     */
    record Call(String method, String path) {

        /** The same with the lock, or without it. */
        public static Call of(String method, boolean locked, String path) {
            return new Call(method, locked ? path : "/without-lock" + path);
        }
    }

    /**
     * Something that must be so.
     *
     * @param name what the page explains it by
     * @param expected what must be
     * @param actual what is
     */
    record Fact(String name, long expected, long actual) {

        /** Whether it is so. */
        @JsonProperty
        public boolean holds() {
            return expected == actual;
        }
    }
}
