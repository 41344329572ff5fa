package io.distributionlock.sample.showcase.flashsale;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.springframework.dao.DuplicateKeyException;
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

    void addIfAbsent(Sale sale) {
        if (find(sale.item()).isPresent()) {
            return;
        }
        try {
            database.sql("INSERT INTO flash_sales (item, stock, starts_at, ends_at) VALUES (?, ?, ?, ?)")
                    .params(sale.item(), sale.stock(), atUtc(sale.startsAt()), atUtc(sale.endsAt()))
                    .update();
        } catch (DuplicateKeyException anotherInstanceWasFaster) {
            // It exists, and that is enough.
        }
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

    int countOrders(String item) {
        return database.sql("SELECT COUNT(*) FROM flash_sale_orders WHERE item = ?")
                .param(item)
                .query(Integer.class)
                .single();
    }

    int countUsersWithSeveralOrders(String item) {
        return database.sql("SELECT COUNT(*) FROM (SELECT user_id FROM flash_sale_orders WHERE item = ?"
                        + " GROUP BY user_id HAVING COUNT(*) > 1) AS several")
                .param(item)
                .query(Integer.class)
                .single();
    }

    void remove(String item) {
        database.sql("DELETE FROM flash_sale_orders WHERE item = ?").param(item).update();
        database.sql("DELETE FROM flash_sales WHERE item = ?").param(item).update();
    }

    private static Sale read(ResultSet row, int number) throws SQLException {
        return new Sale(row.getString("item"), row.getInt("stock"), instant(row, "starts_at"), instant(row, "ends_at"));
    }

    private static Instant instant(ResultSet row, String column) throws SQLException {
        return row.getObject(column, OffsetDateTime.class).toInstant();
    }

    private static OffsetDateTime atUtc(Instant instant) {
        return instant.atOffset(ZoneOffset.UTC);
    }
}
