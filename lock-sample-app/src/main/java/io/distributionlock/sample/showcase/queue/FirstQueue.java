package io.distributionlock.sample.showcase.queue;

import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.stereotype.Component;

/** Adds a queue to a new database. */
@Component
class FirstQueue implements ApplicationRunner {

    private static final int PLACES = 10;

    private final Tickets tickets;

    FirstQueue(Tickets tickets) {
        this.tickets = tickets;
    }

    @Override
    public void run(ApplicationArguments arguments) {
        tickets.openIfAbsent("museum", PLACES);
    }
}
