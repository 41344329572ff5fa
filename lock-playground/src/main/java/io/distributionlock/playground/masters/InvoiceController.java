package io.distributionlock.playground.masters;

import io.distributionlock.playground.web.Resp;
import jakarta.validation.constraints.Size;
import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** The endpoints. */
@RestController
@RequestMapping("/v1/orders/{orderCode}/invoices")
class InvoiceController {

    private final InvoiceService service;
    private final Invoices invoices;

    InvoiceController(InvoiceService service, Invoices invoices) {
        this.service = service;
        this.invoices = invoices;
    }

    @GetMapping
    Resp<List<Invoice>> list(@PathVariable String orderCode) {
        return Resp.buildSuccess(invoices.of(orderCode));
    }

    @PostMapping
    Resp<Invoice> issue(@PathVariable @Size(max = 64) String orderCode) {
        return service.issue(orderCode);
    }
}
