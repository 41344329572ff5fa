package io.distributionlock.sample.order;

import io.distributionlock.sample.web.Resp;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The same without the lock, for comparison only. Do not copy it. */
@RestController
class OrderWithoutLock {

    private final StatusChange change;

    OrderWithoutLock(StatusChange change) {
        this.change = change;
    }

    @PutMapping("/v1/without-lock/test/updateOrderStatus")
    Resp<Order> updateOrderStatus(
            @RequestParam String orderCode, @RequestParam Integer userId, @RequestParam Integer status) {
        return Resp.buildSuccess("修改订单状态成功", change.apply(orderCode, userId, OrderStatus.of(status)));
    }
}
