package io.distributionlock.playground.freeze;

import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Who has sold which item, in the order of the sales. */
@Repository
class LastItemSales {

    private final JdbcClient database;

    LastItemSales(JdbcClient database) {
        this.database = database;
    }

    List<String> sellers(String item) {
        return database.sql("SELECT seller FROM last_item_sales WHERE item = ? ORDER BY seq")
                .param(item)
                .query(String.class)
                .list();
    }

    void add(String item, String seller) {
        database.sql("INSERT INTO last_item_sales (item, seller) VALUES (?, ?)")
                .params(item, seller)
                .update();
    }

    void forget(String item) {
        database.sql("DELETE FROM last_item_sales WHERE item = ?").param(item).update();
    }
}
