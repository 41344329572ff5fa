package io.distributionlock.playground.order;

import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.DistributionLockParam;
import io.distributionlock.playground.web.Resp;
import java.util.List;

/** Lists orders and changes their status. */
public interface IOrderService {

    /**
     * Changes the status of an order, once at a time per order across all instances: the lock is named {@code
     * updateOrderStatus:<orderCode>}. A call that cannot acquire it within a second changes nothing and is answered by
     * {@link BusyAnswer}.
     *
     * @param userId the user who changes it
     * @param status the {@linkplain OrderStatus#code() code} of the new status
     */
    @DistributionLock(key = "updateOrderStatus", tryLockTime = 1000)
    Resp<Order> updateOrder(@DistributionLockParam String orderCode, Integer userId, Integer status);

    /** All orders. */
    List<Order> listOrders();
}
