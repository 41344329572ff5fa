package io.distributionlock.sample.showcase.address;

import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.DistributionLockParam;
import io.distributionlock.sample.web.Resp;
import org.springframework.stereotype.Service;

/** Adds addresses, one at a time per user. Different users do not wait for each other. */
@Service
class AddressService {

    private final NewAddress newAddress;

    AddressService(NewAddress newAddress) {
        this.newAddress = newAddress;
    }

    @DistributionLock(key = "userAddress", tryLockTime = 30_000)
    public Resp<Boolean> add(@DistributionLockParam int userId, String street) {
        return newAddress.add(userId, street);
    }
}
