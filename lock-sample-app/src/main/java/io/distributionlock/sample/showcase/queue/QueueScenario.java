package io.distributionlock.sample.showcase.queue;

import io.distributionlock.sample.showcase.burst.Scenario;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.springframework.stereotype.Component;

/** Visitors arrive one by one, faster than they are served, and there are places for two thirds of them. */
@Component
class QueueScenario implements Scenario {

    /**
     * Visitors who arrive closer together than this may be served in either order, because requests take time to reach
     * Redis.
     */
    private static final long TOGETHER = TimeUnit.MILLISECONDS.toMicros(200);

    private final Tickets tickets;

    QueueScenario(Tickets tickets) {
        this.tickets = tickets;
    }

    @Override
    public String name() {
        return "fair-queue";
    }

    @Override
    public int requests() {
        return 24;
    }

    @Override
    public Duration gap() {
        return Duration.ofMillis(15);
    }

    @Override
    public void prepare(String run, int requests) {
        tickets.openIfAbsent(run, places(requests));
    }

    @Override
    public Call call(String run, int number, boolean locked) {
        return Call.of("POST", locked, "/queues/" + run + "/tickets?visitor=" + (number + 1));
    }

    @Override
    public List<Fact> facts(String run, int requests, int done) {
        List<Ticket> given = tickets.of(run);
        long different = given.stream().map(Ticket::place).distinct().count();
        return List.of(
                new Fact("places", places(requests), given.size()),
                new Fact("samePlace", 0, given.size() - different),
                new Fact(
                        "overtaken",
                        0,
                        given.stream()
                                .filter(ticket -> isOvertaken(ticket, given))
                                .count()));
    }

    @Override
    public void forget(String run) {
        tickets.remove(run);
    }

    private static boolean isOvertaken(Ticket ticket, List<Ticket> given) {
        return given.stream()
                .anyMatch(other -> other.place() < ticket.place() && other.askedAt() > ticket.askedAt() + TOGETHER);
    }

    private static int places(int requests) {
        return Math.max(1, requests * 2 / 3);
    }
}
