package io.distributionlock.playground.masters;

import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The invoices in the database. */
@Repository
class Invoices {

    private final JdbcClient database;

    Invoices(JdbcClient database) {
        this.database = database;
    }

    /** The last number; 0 if there is none. */
    int lastNumber(String orderCode) {
        return database.sql("SELECT COALESCE(MAX(number), 0) FROM invoices WHERE order_code = ?")
                .param(orderCode)
                .query(Integer.class)
                .single();
    }

    /** The invoices of an order, by number. */
    List<Invoice> of(String orderCode) {
        return database.sql("SELECT order_code, number FROM invoices WHERE order_code = ? ORDER BY number")
                .param(orderCode)
                .query(Invoice.class)
                .list();
    }

    void add(Invoice invoice) {
        database.sql("INSERT INTO invoices (order_code, number) VALUES (?, ?)")
                .params(invoice.orderCode(), invoice.number())
                .update();
    }
}
