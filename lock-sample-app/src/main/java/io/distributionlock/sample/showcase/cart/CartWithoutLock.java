package io.distributionlock.sample.showcase.cart;

import io.distributionlock.sample.showcase.timeline.Shown;
import io.distributionlock.sample.showcase.work.ShortWork;
import io.distributionlock.sample.web.Resp;
import java.util.List;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** The same without the lock, for comparison only. Do not copy it. */
@RestController
class CartWithoutLock {

    private final Carts carts;
    private final ShortWork work;

    CartWithoutLock(Carts carts, ShortWork work) {
        this.carts = carts;
        this.work = work;
    }

    @Shown("checkout")
    @PostMapping("/v1/without-lock/carts/{cart}/checkouts")
    public Resp<Checkout> checkout(@PathVariable String cart) {
        int checkouts = carts.checkoutsOf(cart) + 1;
        work.run();
        carts.setCheckouts(cart, checkouts);
        return Resp.buildSuccess("结算成功", new Checkout(cart, checkouts, List.of()));
    }
}
