package io.distributionlock.sample.showcase.queue;

import java.util.List;
import java.util.Optional;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The queues and their tickets, in the database. */
@Repository
class Tickets {

    private final JdbcClient database;

    Tickets(JdbcClient database) {
        this.database = database;
    }

    void openIfAbsent(String queue, int places) {
        if (placesOf(queue).isPresent()) {
            return;
        }
        try {
            database.sql("INSERT INTO queues (queue, places) VALUES (?, ?)")
                    .params(queue, places)
                    .update();
        } catch (DuplicateKeyException anotherInstanceWasFaster) {
            // It exists, and that is enough.
        }
    }

    Optional<Integer> placesOf(String queue) {
        return database.sql("SELECT places FROM queues WHERE queue = ?")
                .param(queue)
                .query(Integer.class)
                .optional();
    }

    /** The tickets of a queue, by place. */
    List<Ticket> of(String queue) {
        return database.sql(
                        "SELECT queue, visitor, place, asked_at FROM queue_tickets WHERE queue = ? ORDER BY place, asked_at")
                .param(queue)
                .query(Ticket.class)
                .list();
    }

    int count(String queue) {
        return database.sql("SELECT COUNT(*) FROM queue_tickets WHERE queue = ?")
                .param(queue)
                .query(Integer.class)
                .single();
    }

    void add(Ticket ticket) {
        database.sql("INSERT INTO queue_tickets (queue, visitor, place, asked_at) VALUES (?, ?, ?, ?)")
                .params(ticket.queue(), ticket.visitor(), ticket.place(), ticket.askedAt())
                .update();
    }

    void remove(String queue) {
        database.sql("DELETE FROM queue_tickets WHERE queue = ?").param(queue).update();
        database.sql("DELETE FROM queues WHERE queue = ?").param(queue).update();
    }
}
