package io.distributionlock.playground.order;

import io.distributionlock.playground.timeline.Shown;
import io.distributionlock.playground.web.BusinessException;
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
    private final OrderProperties properties;

    StatusChange(Orders orders, OrderProperties properties) {
        this.orders = orders;
        this.properties = properties;
    }

    @Shown("update")
    @Transactional
    public Order apply(String orderCode, int userId, OrderStatus wanted) {
        Order order = orders.find(orderCode)
                .orElseThrow(() -> new BusinessException(HttpStatus.NOT_FOUND, "order.unknown", orderCode));
        if (order.status().isFinal()) {
            throw new BusinessException(HttpStatus.CONFLICT, "order.failed", orderCode);
        }
        work();
        Order changed = order.changedTo(wanted, userId);
        orders.save(changed);
        return changed;
    }

    private void work() {
        try {
            Thread.sleep(properties.workTime().toMillis());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted at work; nothing was changed", interrupted);
        }
    }
}
