package io.distributionlock.sample.showcase.queue;

import io.distributionlock.LockKind;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.DistributionLockParam;
import io.distributionlock.sample.web.Resp;
import org.springframework.stereotype.Service;

/**
 * Gives out places in the order of arrival across all instances. With the ordinary kind of lock, no place would be
 * given out twice either, but a thread of the instance that holds the lock might overtake a request that waits on
 * another one.
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
