package io.distributionlock.playground.catalogue;

import io.distributionlock.playground.web.BusinessException;
import io.distributionlock.playground.web.Resp;
import jakarta.validation.constraints.Positive;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The endpoints. They check the input before any lock is requested. */
@RestController
@RequestMapping("/v1/catalogue/{item}")
class CatalogueController {

    private final CatalogueService service;
    private final Prices prices;

    CatalogueController(CatalogueService service, Prices prices) {
        this.service = service;
        this.prices = prices;
    }

    @GetMapping
    Resp<Price> read(@PathVariable String item) {
        requireKnown(item);
        return service.read(item);
    }

    @PutMapping
    Resp<Price> write(@PathVariable String item, @RequestParam @Positive Long net) {
        requireKnown(item);
        return service.write(item, net);
    }

    private void requireKnown(String item) {
        if (!prices.has(item)) {
            throw new BusinessException(HttpStatus.NOT_FOUND, "price.unknown", item);
        }
    }
}
