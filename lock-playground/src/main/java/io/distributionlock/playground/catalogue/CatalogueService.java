package io.distributionlock.playground.catalogue;

import io.distributionlock.LockKind;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.DistributionLockParam;
import io.distributionlock.playground.timeline.Shown;
import io.distributionlock.playground.web.Resp;
import io.distributionlock.playground.work.ShortWork;
import org.springframework.stereotype.Service;

/**
 * Any number of readers share an item; a writer has it alone. Both methods use the same lock, in different kinds. They
 * read and write a price in two steps, between which another request could interfere.
 */
@Service
class CatalogueService {

    private final Prices prices;
    private final ShortWork work;

    CatalogueService(Prices prices, ShortWork work) {
        this.prices = prices;
        this.work = work;
    }

    @Shown(value = "read", shared = true)
    @DistributionLock(key = "catalogue", kind = LockKind.READ, tryLockTime = 10_000)
    public Resp<Price> read(@DistributionLockParam String item) {
        long net = prices.net(item);
        work.run();
        Price price = new Price(item, net, prices.gross(item));
        if (!price.isWhole()) {
            prices.countTornRead(item);
        }
        return Resp.buildSuccess(price);
    }

    @Shown("write")
    @DistributionLock(key = "catalogue", kind = LockKind.WRITE, tryLockTime = 10_000)
    public Resp<Price> write(@DistributionLockParam String item, long net) {
        prices.setNet(item, net);
        // Long enough for a reader to come and go.
        work.run();
        work.run();
        Price price = new Price(item, net, Price.grossOf(net));
        prices.setGross(item, price.gross());
        return Resp.buildSuccess("price.updated", price);
    }
}
