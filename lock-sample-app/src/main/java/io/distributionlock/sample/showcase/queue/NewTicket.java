package io.distributionlock.sample.showcase.queue;

import io.distributionlock.sample.showcase.timeline.Shown;
import io.distributionlock.sample.showcase.work.ShortWork;
import io.distributionlock.sample.web.BusinessException;
import io.distributionlock.sample.web.Resp;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/** The transaction: gives out the next place, if there is one. */
@Component
class NewTicket {

    /** The answer's code if no place is left. */
    static final int FULL = 21;

    private final Tickets tickets;
    private final ShortWork work;

    NewTicket(Tickets tickets, ShortWork work) {
        this.tickets = tickets;
        this.work = work;
    }

    @Shown("take")
    @Transactional
    public Resp<Ticket> take(String queue, String visitor, long askedAt) {
        int places = tickets.placesOf(queue)
                .orElseThrow(() -> new BusinessException(HttpStatus.NOT_FOUND, "队列 " + queue + " 不存在"));
        int place = tickets.count(queue) + 1;
        if (place > places) {
            return Resp.buildFail(FULL, "名额已满");
        }
        work.run();
        Ticket ticket = new Ticket(queue, visitor, place, askedAt);
        tickets.add(ticket);
        return Resp.buildSuccess("排队成功", ticket);
    }
}
