package io.distributionlock.playground.flashsale;

import io.distributionlock.playground.web.BusinessException;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;

/** Decides who may buy what, and when. */
@Component
class SaleRules {

    private final Sales sales;
    private final Clock clock = Clock.systemUTC();

    SaleRules(Sales sales) {
        this.sales = sales;
    }

    /** Returns why this user cannot buy the item now; empty if the user can. */
    Optional<Refusal> refusal(String item, int userId) {
        return Optional.ofNullable(refusal(existing(item), userId));
    }

    Sale existing(String item) {
        return sales.find(item).orElseThrow(() -> new BusinessException(HttpStatus.NOT_FOUND, "sale.unknown", item));
    }

    private @Nullable Refusal refusal(Sale sale, int userId) {
        Instant now = clock.instant();
        if (now.isBefore(sale.startsAt())) {
            return Refusal.NOT_STARTED;
        }
        if (!now.isBefore(sale.endsAt())) {
            return Refusal.ENDED;
        }
        if (sales.hasBought(sale.item(), userId)) {
            return Refusal.ALREADY_BOUGHT;
        }
        return sale.stock() > 0 ? null : Refusal.SOLD_OUT;
    }
}
