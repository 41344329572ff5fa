package io.distributionlock.sample.order;

import java.util.List;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.stereotype.Component;

/** Adds a few orders to a new database. */
@Component
class FirstOrders implements ApplicationRunner {

    private static final List<Order> FIRST = List.of(
            new Order("A1001", OrderStatus.NOT_SENT, null, 0),
            new Order("A1002", OrderStatus.NOT_SENT, null, 0),
            new Order("A1003", OrderStatus.SENT, null, 0),
            new Order("A1004", OrderStatus.COMPLETE, null, 0),
            new Order("A1005", OrderStatus.FAILED, null, 0));

    private final Orders orders;

    FirstOrders(Orders orders) {
        this.orders = orders;
    }

    @Override
    public void run(ApplicationArguments arguments) {
        FIRST.forEach(this::addIfAbsent);
    }

    private void addIfAbsent(Order order) {
        try {
            orders.add(order);
        } catch (DuplicateKeyException known) {
            // From an earlier start, or another instance was faster.
        }
    }
}
