package io.distributionlock.sample.showcase.masters;

import io.distributionlock.sample.web.Resp;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** The same without the lock, for comparison only. Do not copy it. */
@RestController
class InvoiceWithoutLock {

    private final NewInvoice newInvoice;

    InvoiceWithoutLock(NewInvoice newInvoice) {
        this.newInvoice = newInvoice;
    }

    @PostMapping("/v1/without-lock/orders/{orderCode}/invoices")
    Resp<Invoice> issue(@PathVariable String orderCode) {
        return newInvoice.issue(orderCode);
    }
}
