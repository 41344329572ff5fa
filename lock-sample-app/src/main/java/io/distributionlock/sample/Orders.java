package io.distributionlock.sample;

import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The table of {@code schema.sql}. */
@Repository
class Orders {

    private final JdbcClient database;

    Orders(JdbcClient database) {
        this.database = database;
    }

    List<Order> findAll() {
        return database.sql("SELECT * FROM orders ORDER BY order_code")
                .query(Order.class)
                .list();
    }

    Optional<Order> find(String orderCode) {
        return database.sql("SELECT * FROM orders WHERE order_code = ?")
                .param(orderCode)
                .query(Order.class)
                .optional();
    }

    void insert(Order order) {
        database.sql("INSERT INTO orders (order_code, item, status, user_id, changes) VALUES (?, ?, ?, ?, ?)")
                .params(order.orderCode(), order.item(), order.status().name(), order.userId(), order.changes())
                .update();
    }

    void update(Order order) {
        database.sql("UPDATE orders SET status = ?, user_id = ?, changes = ? WHERE order_code = ?")
                .params(order.status().name(), order.userId(), order.changes(), order.orderCode())
                .update();
    }
}
