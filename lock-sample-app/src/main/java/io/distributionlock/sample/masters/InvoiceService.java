package io.distributionlock.sample.masters;

import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.DistributionLockParam;
import io.distributionlock.sample.web.Resp;
import io.distributionlock.sample.work.WorkLog;
import org.springframework.stereotype.Service;

/**
 * Keeps its lock where {@code distribution-lock.executors.masters} says: in three independent Redis servers, of which two have to
 * agree. So one of them may go, and even come back empty, while invoices are issued, and still there is never a number twice.
 */
@Service
class InvoiceService {

    private final NewInvoice newInvoice;
    private final WorkLog workLog;

    InvoiceService(NewInvoice newInvoice, WorkLog workLog) {
        this.newInvoice = newInvoice;
        this.workLog = workLog;
    }

    @DistributionLock(key = "invoice", executor = "masters", tryLockTime = 30_000)
    public Resp<Invoice> issue(@DistributionLockParam String orderCode) {
        // Another lock than that of the order: work on both at once is no fault, and must not look like one.
        String work = "invoice:" + orderCode;
        workLog.entered(work);
        try {
            return newInvoice.issue(orderCode);
        } finally {
            workLog.left(work);
        }
    }
}
