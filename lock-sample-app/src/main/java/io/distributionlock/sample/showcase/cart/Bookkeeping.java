package io.distributionlock.sample.showcase.cart;

import io.distributionlock.LockContext;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.DistributionLockParam;
import io.distributionlock.sample.showcase.timeline.Shown;
import io.distributionlock.sample.showcase.work.ShortWork;
import java.util.List;
import org.springframework.stereotype.Component;

/** The innermost step: writes the count that the outermost step has read. */
@Component
class Bookkeeping {

    private final Carts carts;
    private final ShortWork work;

    Bookkeeping(Carts carts, ShortWork work) {
        this.carts = carts;
        this.work = work;
    }

    @Shown("book")
    @DistributionLock(key = "cart", tryLockTime = 30_000)
    public void book(@DistributionLockParam String cart, int checkouts, List<String> tokens) {
        tokens.add(String.valueOf(LockContext.fencingToken()));
        work.run();
        carts.setCheckouts(cart, checkouts);
    }
}
