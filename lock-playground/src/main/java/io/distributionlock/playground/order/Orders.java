package io.distributionlock.playground.order;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The orders in the database. */
@Repository
class Orders {

    private final JdbcClient database;

    Orders(JdbcClient database) {
        this.database = database;
    }

    List<Order> findAll() {
        return database.sql("SELECT order_code, status, updated_by, changes FROM orders ORDER BY order_code")
                .query(Orders::read)
                .list();
    }

    Optional<Order> find(String orderCode) {
        return database.sql("SELECT order_code, status, updated_by, changes FROM orders WHERE order_code = ?")
                .param(orderCode)
                .query(Orders::read)
                .optional();
    }

    void save(Order order) {
        database.sql("UPDATE orders SET status = ?, updated_by = ?, changes = ? WHERE order_code = ?")
                .param(order.status().code())
                .param(order.updatedBy())
                .param(order.changes())
                .param(order.orderCode())
                .update();
    }

    private static Order read(ResultSet row, int number) throws SQLException {
        return new Order(
                row.getString("order_code"),
                OrderStatus.of(row.getInt("status")),
                row.getObject("updated_by", Integer.class),
                row.getInt("changes"));
    }
}
