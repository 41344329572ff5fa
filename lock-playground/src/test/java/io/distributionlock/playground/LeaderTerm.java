package io.distributionlock.playground;

import static org.awaitility.Awaitility.await;

import java.time.Duration;

/** The term of the instance that leads: the fencing token of its election. */
final class LeaderTerm {

    private LeaderTerm() {}

    /** Waits for a term other than this one; 0 if there was none. */
    static long awaitAfter(int port, long earlier) {
        return await().atMost(Duration.ofSeconds(60))
                .until(
                        () -> Answer.to("GET", port, "/v1/timeline/open")
                                .json()
                                .path("data")
                                .path("term")
                                .asLong(),
                        term -> term != 0 && term != earlier);
    }
}
