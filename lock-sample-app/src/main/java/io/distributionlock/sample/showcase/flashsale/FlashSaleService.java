package io.distributionlock.sample.showcase.flashsale;

import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.DistributionLockParam;
import io.distributionlock.sample.web.Resp;
import org.springframework.stereotype.Service;

/**
 * Sells one item at a time. The lock surrounds the transaction: the next call reads after this one has committed, and
 * needs no database connection while it waits.
 */
@Service
class FlashSaleService {

    private final Purchase purchase;

    FlashSaleService(Purchase purchase) {
        this.purchase = purchase;
    }

    @DistributionLock(key = "flashSale", tryLockTime = 10_000)
    public Resp<SaleOrder> buy(@DistributionLockParam String item, int userId) {
        return purchase.buy(item, userId);
    }
}
