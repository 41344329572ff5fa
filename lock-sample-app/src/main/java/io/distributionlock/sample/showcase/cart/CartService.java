package io.distributionlock.sample.showcase.cart;

import io.distributionlock.LockContext;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.DistributionLockParam;
import io.distributionlock.sample.showcase.timeline.Shown;
import io.distributionlock.sample.web.Resp;
import java.util.ArrayList;
import java.util.List;
import org.springframework.stereotype.Service;

/**
 * The outermost of three steps. Each of them locks the cart, because each can also be called on its own. In nested
 * calls the thread already holds the lock: they send no command, and the lock is released when the outermost call
 * returns.
 */
@Service
class CartService {

    private final Carts carts;
    private final Reservation reservation;

    CartService(Carts carts, Reservation reservation) {
        this.carts = carts;
        this.reservation = reservation;
    }

    @Shown("checkout")
    @DistributionLock(key = "cart", tryLockTime = 30_000)
    public Resp<Checkout> checkout(@DistributionLockParam String cart) {
        int checkouts = carts.checkoutsOf(cart) + 1;
        List<String> tokens = new ArrayList<>();
        tokens.add(String.valueOf(LockContext.fencingToken()));
        reservation.reserve(cart, checkouts, tokens);
        return Resp.buildSuccess("cart.checked-out", new Checkout(cart, checkouts, List.copyOf(tokens)));
    }
}
