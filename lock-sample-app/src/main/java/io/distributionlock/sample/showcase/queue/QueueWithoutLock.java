package io.distributionlock.sample.showcase.queue;

import io.distributionlock.sample.web.Resp;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The same without the lock, for comparison only. Do not copy it. */
@RestController
class QueueWithoutLock {

    private final NewTicket newTicket;

    QueueWithoutLock(NewTicket newTicket) {
        this.newTicket = newTicket;
    }

    @PostMapping("/v1/without-lock/queues/{queue}/tickets")
    Resp<Ticket> take(@PathVariable String queue, @RequestParam String visitor) {
        return newTicket.take(queue, visitor, Arrival.now());
    }
}
