package io.distributionlock.playground.flashsale;

import io.distributionlock.playground.web.Resp;
import jakarta.validation.constraints.Positive;
import java.util.List;
import java.util.Optional;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * The endpoints. A request that can be refused at once does not wait for the lock; inside the lock, everything is
 * checked again.
 */
@RestController
@RequestMapping("/v1/flash-sales")
class FlashSaleController {

    private final FlashSaleService service;
    private final SaleRules rules;
    private final Sales sales;

    FlashSaleController(FlashSaleService service, SaleRules rules, Sales sales) {
        this.service = service;
        this.rules = rules;
        this.sales = sales;
    }

    @GetMapping
    Resp<List<Sale>> list() {
        return Resp.buildSuccess(sales.findAll());
    }

    @PostMapping("/{item}/orders")
    Resp<SaleOrder> buy(@PathVariable String item, @RequestParam @Positive Integer userId) {
        Optional<Refusal> refusal = rules.refusal(item, userId);
        return refusal.isPresent() ? refusal.get().answer() : service.buy(item, userId);
    }
}
