package io.distributionlock.sample.showcase.cart;

import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The number of checkouts of each cart, in the database. */
@Repository
class Carts {

    private final JdbcClient database;

    Carts(JdbcClient database) {
        this.database = database;
    }

    /** 0 for a cart that was never checked out. */
    int checkoutsOf(String cart) {
        return database.sql("SELECT checkouts FROM carts WHERE cart = ?")
                .param(cart)
                .query(Integer.class)
                .optional()
                .orElse(0);
    }

    void setCheckouts(String cart, int checkouts) {
        if (update(cart, checkouts) > 0) {
            return;
        }
        try {
            database.sql("INSERT INTO carts (cart, checkouts) VALUES (?, ?)")
                    .params(cart, checkouts)
                    .update();
        } catch (DuplicateKeyException anotherWasFaster) {
            update(cart, checkouts);
        }
    }

    private int update(String cart, int checkouts) {
        return database.sql("UPDATE carts SET checkouts = ? WHERE cart = ?")
                .params(checkouts, cart)
                .update();
    }
}
