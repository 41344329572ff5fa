package io.distributionlock.playground.queue;

import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The queues and their tickets, in the database. */
@Repository
class Tickets {

    private final JdbcClient database;

    Tickets(JdbcClient database) {
        this.database = database;
    }

    Optional<Integer> placesOf(String queue) {
        return database.sql("SELECT places FROM queues WHERE queue = ?")
                .param(queue)
                .query(Integer.class)
                .optional();
    }

    /** The tickets of a queue, by place. */
    List<Ticket> of(String queue) {
        return database.sql("SELECT queue, visitor, place FROM tickets WHERE queue = ? ORDER BY place, seq")
                .param(queue)
                .query(Ticket.class)
                .list();
    }

    int count(String queue) {
        return database.sql("SELECT COUNT(*) FROM tickets WHERE queue = ?")
                .param(queue)
                .query(Integer.class)
                .single();
    }

    void add(Ticket ticket) {
        database.sql("INSERT INTO tickets (queue, visitor, place) VALUES (?, ?, ?)")
                .params(ticket.queue(), ticket.visitor(), ticket.place())
                .update();
    }
}
