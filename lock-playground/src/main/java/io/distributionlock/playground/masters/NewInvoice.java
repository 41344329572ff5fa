package io.distributionlock.playground.masters;

import io.distributionlock.playground.timeline.Shown;
import io.distributionlock.playground.web.Resp;
import io.distributionlock.playground.work.ShortWork;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/** The transaction: issues the next number. */
@Component
class NewInvoice {

    private final Invoices invoices;
    private final ShortWork work;

    NewInvoice(Invoices invoices, ShortWork work) {
        this.invoices = invoices;
        this.work = work;
    }

    @Shown("issue")
    @Transactional
    public Resp<Invoice> issue(String orderCode) {
        Invoice invoice = new Invoice(orderCode, invoices.lastNumber(orderCode) + 1);
        work.run();
        invoices.add(invoice);
        return Resp.buildSuccess("invoice.issued", invoice);
    }
}
