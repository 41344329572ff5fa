package io.distributionlock.playground.instances;

import jakarta.annotation.PreDestroy;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.event.EventListener;
import org.springframework.dao.DataAccessException;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import org.springframework.transaction.TransactionException;

/** Registers this instance and its address for the others. */
@Component
class Presence {

    private static final Logger LOG = LoggerFactory.getLogger(Presence.class);

    private final Instances instances;
    private final String name;
    private volatile @Nullable Instance self;

    Presence(Instances instances, ThisInstance thisInstance) {
        this.instances = instances;
        this.name = thisInstance.name();
    }

    /** Not before it is ready: the others would send requests to it that it cannot answer yet. */
    @EventListener
    void ready(ApplicationReadyEvent ready) {
        if (ready.getApplicationContext() instanceof ServletWebServerApplicationContext web
                && web.getServletContext() != null
                && web.getWebServer() != null) {
            String path = web.getServletContext().getContextPath();
            self = new Instance(name, "http://localhost:" + web.getWebServer().getPort() + path);
            tell();
        }
    }

    @Scheduled(fixedRate = 2000)
    void tell() {
        Instance instance = self;
        if (instance == null) {
            return;
        }
        try {
            instances.seen(instance);
        } catch (DataAccessException | TransactionException noDatabase) {
            LOG.debug("Could not register this instance", noDatabase);
        }
    }

    @PreDestroy
    void leave() {
        self = null;
        try {
            instances.gone(name);
        } catch (DataAccessException | TransactionException noDatabase) {
            LOG.debug("Could not remove this instance; the others will notice", noDatabase);
        }
    }
}
