package io.distributionlock.sample.showcase.address;

import io.distributionlock.sample.web.Resp;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The same without the lock, for comparison only. Do not copy it. */
@RestController
class AddressWithoutLock {

    private final NewAddress newAddress;

    AddressWithoutLock(NewAddress newAddress) {
        this.newAddress = newAddress;
    }

    @PostMapping("/v1/without-lock/addresses")
    Resp<Boolean> add(@RequestParam Integer userId, @RequestParam String street) {
        return newAddress.add(userId, street);
    }
}
