package io.distributionlock.playground.order;

import io.distributionlock.playground.web.Resp;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Positive;
import jakarta.validation.constraints.Size;
import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The endpoints. They check the input before any lock is requested. */
@RestController
@RequestMapping("/v1/test")
class OrderController {

    private final IOrderService orderService;

    OrderController(IOrderService orderService) {
        this.orderService = orderService;
    }

    @PutMapping("/updateOrderStatus")
    Resp<Order> updateOrderStatus(
            @RequestParam @NotBlank @Size(max = 64) @Pattern(regexp = "\\P{Cntrl}*") String orderCode,
            @RequestParam @Positive Integer userId,
            @RequestParam Integer status) {
        OrderStatus.of(status);
        return orderService.updateOrder(orderCode, userId, status);
    }

    @GetMapping("/orders")
    Resp<List<Order>> orders() {
        return Resp.buildSuccess(orderService.listOrders());
    }
}
