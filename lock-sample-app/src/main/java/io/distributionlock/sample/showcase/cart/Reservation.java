package io.distributionlock.sample.showcase.cart;

import io.distributionlock.LockContext;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.DistributionLockParam;
import io.distributionlock.sample.showcase.timeline.Shown;
import io.distributionlock.sample.showcase.work.ShortWork;
import java.util.List;
import org.springframework.stereotype.Component;

/** The middle step: reserves the items in the cart. */
@Component
class Reservation {

    private final Bookkeeping bookkeeping;
    private final ShortWork work;

    Reservation(Bookkeeping bookkeeping, ShortWork work) {
        this.bookkeeping = bookkeeping;
        this.work = work;
    }

    @Shown("reserve")
    @DistributionLock(key = "cart", tryLockTime = 30_000)
    public void reserve(@DistributionLockParam String cart, int checkouts, List<String> tokens) {
        tokens.add(String.valueOf(LockContext.fencingToken()));
        work.run();
        bookkeeping.book(cart, checkouts, tokens);
    }
}
