package io.distributionlock.sample.showcase.catalogue;

import io.distributionlock.sample.web.Resp;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The same without the lock, for comparison only. Do not copy it. */
@RestController
@RequestMapping("/v1/without-lock/catalogue/{item}")
class CatalogueWithoutLock {

    private final PriceTag tag;

    CatalogueWithoutLock(PriceTag tag) {
        this.tag = tag;
    }

    @GetMapping
    Resp<Price> read(@PathVariable String item) {
        return tag.read(item);
    }

    @PutMapping
    Resp<Price> write(@PathVariable String item, @RequestParam Long net) {
        return tag.write(item, net);
    }
}
