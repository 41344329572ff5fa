package io.distributionlock.playground.takeover;

import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.DistributionLockParam;
import io.distributionlock.playground.timeline.Shown;
import io.distributionlock.playground.web.Resp;
import io.distributionlock.playground.work.ShortWork;
import java.time.Duration;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Service;

/**
 * Imports what a supplier has in stock, one file at a time. While it runs, its lease is renewed; if its instance is
 * killed, the lock expires within the hold time. An import takes so long that an instance can be killed meanwhile.
 */
@Service
class StockImport {

    private final Duration time;

    StockImport(@Value("${playground.import.time:1500ms}") Duration time) {
        this.time = time;
    }

    @Shown("import")
    @DistributionLock(key = "stockImport", tryLockTime = 30_000)
    public Resp<String> run(@DistributionLockParam String supplier) {
        ShortWork.run(time);
        return Resp.buildSuccess(supplier);
    }
}
