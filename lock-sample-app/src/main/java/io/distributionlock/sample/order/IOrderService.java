package io.distributionlock.sample.order;

import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.DistributionLockParam;
import io.distributionlock.sample.web.Resp;
import java.util.List;

/** What can be done with orders. */
public interface IOrderService {

    /**
     * Changes the status of one order, once at a time per order over all instances: the lock's name is
     * {@code updateOrderStatus:<orderCode>}. Who does not get it within a second does nothing, and is answered by
     * {@link BusyAnswer}.
     *
     * @param userId who changes it
     * @param status the {@linkplain OrderStatus#code() code} of the wanted status
     */
    @DistributionLock(key = "updateOrderStatus", tryLockTime = 1000)
    Resp<Order> updateOrder(@DistributionLockParam String orderCode, Integer userId, Integer status);

    /** All orders. */
    List<Order> listOrders();
}
