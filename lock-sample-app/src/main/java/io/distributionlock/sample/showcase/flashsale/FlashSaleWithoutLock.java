package io.distributionlock.sample.showcase.flashsale;

import io.distributionlock.sample.web.Resp;
import jakarta.validation.constraints.Positive;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The same without the lock, for comparison only. Do not copy it. */
@RestController
class FlashSaleWithoutLock {

    private final Purchase purchase;

    FlashSaleWithoutLock(Purchase purchase) {
        this.purchase = purchase;
    }

    @PostMapping("/v1/without-lock/flash-sales/{item}/orders")
    Resp<SaleOrder> buy(
            @PathVariable String item, @RequestParam @Positive(message = "参数 userId 必须为正整数") Integer userId) {
        return purchase.buy(item, userId);
    }
}
