package io.distributionlock.sample.showcase.order;

import io.distributionlock.sample.order.IOrderService;
import io.distributionlock.sample.order.Order;
import io.distributionlock.sample.web.Resp;
import java.util.Objects;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The same without the lock, for comparison only. Do not copy it. */
@RestController
class OrderWithoutLock {

    private final IOrderService withoutItsProxy;

    OrderWithoutLock(IOrderService orderService) {
        this.withoutItsProxy = (IOrderService) Objects.requireNonNull(AopProxyUtils.getSingletonTarget(orderService));
    }

    @PutMapping("/v1/without-lock/test/updateOrderStatus")
    Resp<Order> updateOrderStatus(
            @RequestParam String orderCode, @RequestParam Integer userId, @RequestParam Integer status) {
        return withoutItsProxy.updateOrder(orderCode, userId, status);
    }
}
