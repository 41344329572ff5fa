package io.distributionlock.playground.instances;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;

/** Stops an instance when the instance that started it has ended, even by {@code kill -9}. */
@Component
@ConditionalOnProperty(SecondInstance.PARENT)
class EndWithParent {

    private static final Logger LOG = LoggerFactory.getLogger(EndWithParent.class);

    private final long parent;

    EndWithParent(Environment environment) {
        this.parent = environment.getRequiredProperty(SecondInstance.PARENT, Long.class);
    }

    @EventListener
    void watch(ApplicationReadyEvent ready) {
        Thread watching = new Thread(() -> leaveAfterParent(ready), "watching-" + parent);
        watching.setDaemon(true);
        watching.start();
    }

    private void leaveAfterParent(ApplicationReadyEvent ready) {
        ProcessHandle.of(parent).ifPresent(process -> process.onExit().join());
        LOG.info("Process {}, which started this instance, has ended", parent);
        System.exit(SpringApplication.exit(ready.getApplicationContext()));
    }
}
