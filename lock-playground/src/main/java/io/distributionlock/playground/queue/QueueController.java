package io.distributionlock.playground.queue;

import io.distributionlock.playground.web.Resp;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Size;
import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The endpoints. */
@RestController
@RequestMapping("/v1/queues/{queue}/tickets")
class QueueController {

    private final QueueService service;
    private final Tickets tickets;

    QueueController(QueueService service, Tickets tickets) {
        this.service = service;
        this.tickets = tickets;
    }

    @GetMapping
    Resp<List<Ticket>> list(@PathVariable String queue) {
        return Resp.buildSuccess(tickets.of(queue));
    }

    @PostMapping
    Resp<Ticket> take(@PathVariable String queue, @RequestParam @NotBlank @Size(max = 64) String visitor) {
        return service.take(queue, visitor);
    }
}
