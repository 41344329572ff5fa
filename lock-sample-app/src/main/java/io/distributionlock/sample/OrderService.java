package io.distributionlock.sample;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.server.ResponseStatusException;

/** The lock is taken before the transaction begins, and released after the commit, so the next holder reads what this one wrote. */
@Service
class OrderService implements IOrderService {

    private final Orders orders;
    private final Duration workTime;

    OrderService(Orders orders, @Value("${sample.work-time}") Duration workTime) {
        this.orders = orders;
        this.workTime = workTime;
    }

    /** Reads, decides and writes. No row is locked: it is the annotation that keeps others out in between. */
    @Override
    @Transactional
    public Resp<Order> updateOrder(String orderCode, Integer userId, Integer status) {
        OrderStatus wanted = OrderStatus.of(status);
        Order order = orders.find(orderCode)
                .orElseThrow(() -> new ResponseStatusException(HttpStatus.NOT_FOUND, "There is no order " + orderCode));
        if (order.status() == OrderStatus.FAILED) {
            throw new ResponseStatusException(HttpStatus.CONFLICT, "Order " + orderCode + " has failed and stays so");
        }
        work();
        Order changed = order.changedTo(wanted, userId);
        orders.update(changed);
        return Resp.buildSuccess("Order status updated", changed);
    }

    @Override
    @Transactional
    public Resp<Order> createOrder(Integer userId, String item) {
        String orderCode = UUID.randomUUID().toString().substring(0, 8);
        Order order = new Order(orderCode, item, OrderStatus.NOT_SENT, userId, 0);
        orders.insert(order);
        return Resp.buildSuccess("Order created", order);
    }

    @Override
    public Resp<List<Order>> listOrders() {
        return Resp.buildSuccess("Success", orders.findAll());
    }

    /** Put your work here. */
    private void work() {
        try {
            Thread.sleep(workTime.toMillis());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted at work; nothing was changed", interrupted);
        }
    }
}
