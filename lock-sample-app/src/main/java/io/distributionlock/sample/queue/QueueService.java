package io.distributionlock.sample.queue;

import io.distributionlock.LockKind;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.DistributionLockParam;
import io.distributionlock.sample.web.Resp;
import org.springframework.stereotype.Service;

/**
 * Gives places in the order of arrival, over all instances. With the ordinary kind of lock nobody would get a place twice
 * either, but a thread of the instance that has the lock might overtake somebody who waits elsewhere.
 */
@Service
class QueueService {

    private final NewTicket newTicket;

    QueueService(NewTicket newTicket) {
        this.newTicket = newTicket;
    }

    @DistributionLock(key = "queue", kind = LockKind.FAIR, tryLockTime = 30_000)
    public Resp<Ticket> take(@DistributionLockParam String queue, String visitor, long askedAt) {
        return newTicket.take(queue, visitor, askedAt);
    }
}
