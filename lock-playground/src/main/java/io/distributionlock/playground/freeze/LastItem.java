package io.distributionlock.playground.freeze;

import io.distributionlock.CommitGuard;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.DistributionLockParam;
import io.distributionlock.playground.instances.ThisInstance;
import io.distributionlock.playground.timeline.Shown;
import io.distributionlock.playground.web.Resp;
import java.time.Duration;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Sells an item of which there is one. The three methods differ in what guards them, and in nothing else. */
@Service
@Transactional
class LastItem {

    private static final int STOCK = 1;
    private static final int SOLD_OUT = 13;

    private final LastItemSales sales;
    private final SlowCommit commit;
    private final ThisInstance seller;

    LastItem(LastItemSales sales, SlowCommit commit, ThisInstance seller) {
        this.sales = sales;
        this.commit = commit;
        this.seller = seller;
    }

    @Shown("sell")
    public Resp<String> sell(String item, Duration pause) {
        return sellOne(item, pause);
    }

    @Shown("sell")
    @DistributionLock(key = "lastItem", tryLockTime = 45_000)
    public Resp<String> sellLocked(@DistributionLockParam String item, Duration pause) {
        return sellOne(item, pause);
    }

    @Shown("sell")
    @DistributionLock(key = "lastItem", tryLockTime = 45_000, commitGuard = CommitGuard.DATABASE)
    public Resp<String> sellGuarded(@DistributionLockParam String item, Duration pause) {
        return sellOne(item, pause);
    }

    private Resp<String> sellOne(String item, Duration pause) {
        if (sales.sellers(item).size() >= STOCK) {
            return Resp.buildFail(SOLD_OUT, "sale.sold-out");
        }
        sales.add(item, seller.name());
        pauseBeforeCommit(pause);
        return Resp.buildSuccess("sale.bought", item);
    }

    private void pauseBeforeCommit(Duration pause) {
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void beforeCompletion() {
                commit.pause(pause);
            }
        });
    }
}
