package io.distributionlock.playground.flashsale;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The sales and purchases in the database. */
@Repository
class Sales {

    private final JdbcClient database;

    Sales(JdbcClient database) {
        this.database = database;
    }

    List<Sale> findAll() {
        return database.sql("SELECT item, stock, starts_at, ends_at FROM flash_sales ORDER BY starts_at, item")
                .query(Sales::read)
                .list();
    }

    Optional<Sale> find(String item) {
        return database.sql("SELECT item, stock, starts_at, ends_at FROM flash_sales WHERE item = ?")
                .param(item)
                .query(Sales::read)
                .optional();
    }

    boolean hasBought(String item, int userId) {
        return database.sql("SELECT COUNT(*) FROM flash_sale_orders WHERE item = ? AND user_id = ?")
                        .params(item, userId)
                        .query(Integer.class)
                        .single()
                > 0;
    }

    void setStock(String item, int stock) {
        database.sql("UPDATE flash_sales SET stock = ? WHERE item = ?")
                .params(stock, item)
                .update();
    }

    void addOrder(String item, int userId) {
        database.sql("INSERT INTO flash_sale_orders (item, user_id) VALUES (?, ?)")
                .params(item, userId)
                .update();
    }

    private static Sale read(ResultSet row, int number) throws SQLException {
        return new Sale(row.getString("item"), row.getInt("stock"), instant(row, "starts_at"), instant(row, "ends_at"));
    }

    private static Instant instant(ResultSet row, String column) throws SQLException {
        return row.getObject(column, OffsetDateTime.class).toInstant();
    }
}
