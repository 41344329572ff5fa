package io.distributionlock.playground.masters;

import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.DistributionLockParam;
import io.distributionlock.playground.web.Resp;
import io.distributionlock.playground.work.WorkLog;
import org.springframework.stereotype.Service;

/**
 * Keeps its lock in {@code distribution-lock.quorum}: three independent Redis servers, two of
 * which must agree. One of them may fail and even come back empty while invoices are issued, and no number is used
 * twice.
 */
@Service
class InvoiceService {

    private final NewInvoice newInvoice;
    private final WorkLog workLog;

    InvoiceService(NewInvoice newInvoice, WorkLog workLog) {
        this.newInvoice = newInvoice;
        this.workLog = workLog;
    }

    @DistributionLock(key = "invoice", executor = "invoiceLocks", tryLockTime = 30_000)
    public Resp<Invoice> issue(@DistributionLockParam String orderCode) {
        // The prefix separates this work from that of the order, which another lock guards: the two may overlap.
        String work = "invoice:" + orderCode;
        workLog.entered(work);
        try {
            return newInvoice.issue(orderCode);
        } finally {
            workLog.left(work);
        }
    }
}
