package io.distributionlock.sample.showcase.address;

import io.distributionlock.sample.showcase.timeline.Shown;
import io.distributionlock.sample.showcase.work.ShortWork;
import io.distributionlock.sample.web.Resp;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/** The transaction: a user's first address is the default. Two requests that both see none would both set it. */
@Component
class NewAddress {

    private final Addresses addresses;
    private final ShortWork work;

    NewAddress(Addresses addresses, ShortWork work) {
        this.addresses = addresses;
        this.work = work;
    }

    @Shown("add")
    @Transactional
    public Resp<Boolean> add(int userId, String street) {
        boolean isFirst = !addresses.hasAny(userId);
        work.run();
        addresses.add(userId, street, isFirst);
        return Resp.buildSuccess(isFirst ? "地址已添加,并设为默认地址" : "地址已添加", isFirst);
    }
}
