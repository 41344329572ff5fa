package io.distributionlock.sample.showcase.catalogue;

import io.distributionlock.LockKind;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.DistributionLockParam;
import io.distributionlock.sample.web.Resp;
import org.springframework.stereotype.Service;

/** Any number of readers share an item; a writer has it alone. Both methods use the same lock, in different kinds. */
@Service
class CatalogueService {

    private final PriceTag tag;

    CatalogueService(PriceTag tag) {
        this.tag = tag;
    }

    @DistributionLock(key = "catalogue", kind = LockKind.READ, tryLockTime = 10_000)
    public Resp<Price> read(@DistributionLockParam String item) {
        return tag.read(item);
    }

    @DistributionLock(key = "catalogue", kind = LockKind.WRITE, tryLockTime = 10_000)
    public Resp<Price> write(@DistributionLockParam String item, long net) {
        return tag.write(item, net);
    }
}
