package io.distributionlock.sample.order;

import io.distributionlock.sample.web.BusinessException;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/**
 * The transaction: read, decide, work, write. There is no row lock, so only the distributed lock around it keeps others
 * out between reading and writing.
 */
@Component
class StatusChange {

    private final Orders orders;
    private final SimulatedWork work;

    StatusChange(Orders orders, SimulatedWork work) {
        this.orders = orders;
        this.work = work;
    }

    @Transactional
    public Order apply(String orderCode, int userId, OrderStatus wanted) {
        Order order = orders.find(orderCode)
                .orElseThrow(() -> new BusinessException(HttpStatus.NOT_FOUND, "order.unknown", orderCode));
        if (order.status().isFinal()) {
            throw new BusinessException(HttpStatus.CONFLICT, "order.failed", orderCode);
        }
        work.run();
        Order changed = order.changedTo(wanted, userId);
        orders.save(changed);
        return changed;
    }
}
