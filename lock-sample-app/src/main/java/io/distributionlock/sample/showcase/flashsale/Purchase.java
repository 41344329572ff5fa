package io.distributionlock.sample.showcase.flashsale;

import io.distributionlock.sample.showcase.timeline.Shown;
import io.distributionlock.sample.showcase.work.ShortWork;
import io.distributionlock.sample.web.Resp;
import java.util.Optional;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/** The transaction: read, decide, work, write. Only the lock around it keeps others out between reading and writing. */
@Component
class Purchase {

    private final SaleRules rules;
    private final Sales sales;
    private final ShortWork work;

    Purchase(SaleRules rules, Sales sales, ShortWork work) {
        this.rules = rules;
        this.sales = sales;
        this.work = work;
    }

    @Shown("buy")
    @Transactional
    public Resp<SaleOrder> buy(String item, int userId) {
        Optional<Refusal> refusal = rules.refusal(item, userId);
        if (refusal.isPresent()) {
            return refusal.get().answer();
        }
        int left = rules.existing(item).stock() - 1;
        work.run();
        sales.setStock(item, left);
        sales.addOrder(item, userId);
        return Resp.buildSuccess("抢购成功", new SaleOrder(item, userId, left));
    }
}
