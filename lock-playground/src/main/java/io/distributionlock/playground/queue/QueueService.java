package io.distributionlock.playground.queue;

import io.distributionlock.LockKind;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.DistributionLockParam;
import io.distributionlock.playground.timeline.Shown;
import io.distributionlock.playground.web.BusinessException;
import io.distributionlock.playground.web.Resp;
import io.distributionlock.playground.work.ShortWork;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/**
 * Gives out places in the order of arrival across all instances. With the ordinary kind of lock, no place would be
 * given out twice either, but a thread of the instance that holds the lock might overtake a request that waits on
 * another one.
 */
@Service
class QueueService {

    /** The answer's code if no place is left. */
    private static final int FULL = 21;

    private final Tickets tickets;
    private final ShortWork work;

    QueueService(Tickets tickets, ShortWork work) {
        this.tickets = tickets;
        this.work = work;
    }

    @Shown("take")
    @Transactional
    @DistributionLock(key = "queue", kind = LockKind.FAIR, tryLockTime = 30_000)
    public Resp<Ticket> take(@DistributionLockParam String queue, String visitor) {
        int places = tickets.placesOf(queue)
                .orElseThrow(() -> new BusinessException(HttpStatus.NOT_FOUND, "queue.unknown", queue));
        int place = tickets.count(queue) + 1;
        if (place > places) {
            return Resp.buildFail(FULL, "queue.full");
        }
        work.run();
        Ticket ticket = new Ticket(queue, visitor, place);
        tickets.add(ticket);
        return Resp.buildSuccess("queue.joined", ticket);
    }
}
