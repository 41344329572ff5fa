package io.distributionlock.playground.address;

import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.DistributionLockParam;
import io.distributionlock.playground.timeline.Shown;
import io.distributionlock.playground.web.Resp;
import io.distributionlock.playground.work.ShortWork;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/**
 * Adds addresses, one at a time per user; different users do not wait for each other. A user's first address is the
 * default: two requests that both see none would both set it. The lock surrounds the transaction.
 */
@Service
class AddressService {

    private final Addresses addresses;
    private final ShortWork work;

    AddressService(Addresses addresses, ShortWork work) {
        this.addresses = addresses;
        this.work = work;
    }

    @Shown("add")
    @Transactional
    @DistributionLock(key = "userAddress", tryLockTime = 30_000)
    public Resp<Boolean> add(@DistributionLockParam int userId, String street) {
        boolean isFirst = !addresses.hasAny(userId);
        work.run();
        addresses.add(userId, street, isFirst);
        return Resp.buildSuccess(isFirst ? "address.added-as-default" : "address.added", isFirst);
    }
}
