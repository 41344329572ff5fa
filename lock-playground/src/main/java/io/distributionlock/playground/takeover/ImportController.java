package io.distributionlock.playground.takeover;

import io.distributionlock.playground.web.Resp;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** The endpoints. */
@RestController
@RequestMapping("/v1/suppliers/{supplier}/imports")
class ImportController {

    private final StockImport imports;

    ImportController(StockImport imports) {
        this.imports = imports;
    }

    @PostMapping
    Resp<String> run(@PathVariable String supplier) {
        return imports.run(supplier);
    }
}
