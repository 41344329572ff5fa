package io.distributionlock.playground.flashsale;

import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.DistributionLockParam;
import io.distributionlock.playground.timeline.Shown;
import io.distributionlock.playground.web.Resp;
import io.distributionlock.playground.work.ShortWork;
import java.util.Optional;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/**
 * Sells one item at a time. The lock surrounds the transaction: the next call reads after this one has committed, and
 * needs no database connection while it waits.
 */
@Service
class FlashSaleService {

    private final SaleRules rules;
    private final Sales sales;
    private final ShortWork work;

    FlashSaleService(SaleRules rules, Sales sales, ShortWork work) {
        this.rules = rules;
        this.sales = sales;
        this.work = work;
    }

    @Shown("buy")
    @Transactional
    @DistributionLock(key = "flashSale", tryLockTime = 10_000)
    public Resp<SaleOrder> buy(@DistributionLockParam String item, int userId) {
        Optional<Refusal> refusal = rules.refusal(item, userId);
        if (refusal.isPresent()) {
            return refusal.get().answer();
        }
        int left = rules.existing(item).stock() - 1;
        work.run();
        sales.setStock(item, left);
        sales.addOrder(item, userId);
        return Resp.buildSuccess("sale.bought", new SaleOrder(item, userId, left));
    }
}
