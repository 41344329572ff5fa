package io.distributionlock.sample;

import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping("/v1/test")
class OrderController {

    private final IOrderService orderService;

    OrderController(IOrderService orderService) {
        this.orderService = orderService;
    }

    @PutMapping("/updateOrderStatus")
    Resp<Order> updateOrderStatus(
            @RequestParam String orderCode, @RequestParam Integer userId, @RequestParam Integer status) {
        return orderService.updateOrder(orderCode, userId, status);
    }

    @PostMapping("/orders")
    Resp<Order> createOrder(@RequestParam Integer userId, @RequestParam String item) {
        return orderService.createOrder(userId, item);
    }

    @GetMapping("/orders")
    Resp<List<Order>> listOrders() {
        return orderService.listOrders();
    }
}
