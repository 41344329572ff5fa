package io.distributionlock.playground.address;

import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The addresses in the database. */
@Repository
class Addresses {

    private final JdbcClient database;

    Addresses(JdbcClient database) {
        this.database = database;
    }

    List<Address> of(int userId) {
        return database.sql("SELECT id, user_id, street, is_default FROM addresses WHERE user_id = ? ORDER BY id")
                .param(userId)
                .query(Address.class)
                .list();
    }

    boolean hasAny(int userId) {
        return !of(userId).isEmpty();
    }

    void add(int userId, String street, boolean isDefault) {
        database.sql("INSERT INTO addresses (user_id, street, is_default) VALUES (?, ?, ?)")
                .params(userId, street, isDefault)
                .update();
    }
}
