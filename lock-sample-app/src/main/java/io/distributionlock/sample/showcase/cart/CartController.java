package io.distributionlock.sample.showcase.cart;

import io.distributionlock.sample.web.Resp;
import jakarta.validation.constraints.Size;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** The endpoints. */
@RestController
@RequestMapping("/v1/carts/{cart}")
class CartController {

    private final CartService service;
    private final Carts carts;

    CartController(CartService service, Carts carts) {
        this.service = service;
        this.carts = carts;
    }

    @GetMapping
    Resp<Integer> checkouts(@PathVariable String cart) {
        return Resp.buildSuccess(carts.checkoutsOf(cart));
    }

    @PostMapping("/checkouts")
    Resp<Checkout> checkout(@PathVariable @Size(max = 64) String cart) {
        return service.checkout(cart);
    }
}
