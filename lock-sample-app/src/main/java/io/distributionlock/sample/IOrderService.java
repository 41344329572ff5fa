package io.distributionlock.sample;

import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.DistributionLockParam;
import io.distributionlock.annotation.RefuseRepeats;
import java.util.List;

public interface IOrderService {

    /**
     * Changes the status of an order. The lock is named {@code updateOrderStatus:<orderCode>}, so each order changes once at a time, in
     * all instances together. A call that does not get it within a second changes nothing; {@link BusyAnswer} answers it.
     */
    @DistributionLock(key = "updateOrderStatus", tryLockTime = 1000)
    Resp<Order> updateOrder(@DistributionLockParam String orderCode, Integer userId, Integer status);

    /** Creates an order. Of two clicks within five seconds, by the same user for the same item, the second is refused. */
    @RefuseRepeats(key = "createOrder", within = "5s")
    Resp<Order> createOrder(@DistributionLockParam Integer userId, @DistributionLockParam String item);

    Resp<List<Order>> listOrders();
}
