package io.distributionlock.playground.order;

import io.distributionlock.playground.web.Resp;
import io.distributionlock.playground.work.WorkLog;
import java.util.List;
import org.springframework.stereotype.Service;

/**
 * Runs while the lock is held. The lock is released after these methods return, so after the transaction inside has
 * been committed. Otherwise the next holder could read the old data.
 */
@Service
class OrderService implements IOrderService {

    private final Orders orders;
    private final StatusChange change;
    private final WorkLog workLog;

    OrderService(Orders orders, StatusChange change, WorkLog workLog) {
        this.orders = orders;
        this.change = change;
        this.workLog = workLog;
    }

    @Override
    public Resp<Order> updateOrder(String orderCode, Integer userId, Integer status) {
        OrderStatus wanted = OrderStatus.of(status);
        workLog.entered(orderCode);
        try {
            return Resp.buildSuccess("order.updated", change.apply(orderCode, userId, wanted));
        } finally {
            workLog.left(orderCode);
        }
    }

    @Override
    public List<Order> listOrders() {
        return orders.findAll();
    }
}
