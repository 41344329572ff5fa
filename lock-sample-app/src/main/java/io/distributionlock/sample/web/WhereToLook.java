package io.distributionlock.sample.web;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;

/** Logs, as the last line of the start, where to look. */
@Component
class WhereToLook {

    private static final Logger LOG = LoggerFactory.getLogger(WhereToLook.class);

    private final Environment environment;

    WhereToLook(Environment environment) {
        this.environment = environment;
    }

    @EventListener(ApplicationReadyEvent.class)
    @Order(Ordered.LOWEST_PRECEDENCE)
    void ready() {
        String port = environment.getProperty("local.server.port");
        if (port != null) {
            String contextPath = environment.getProperty("server.servlet.context-path", "");
            LOG.info("Ready. Open http://localhost:{}{}/", port, contextPath);
        }
    }
}
