package io.distributionlock.aop;

import java.util.concurrent.CompletableFuture;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationEventPublisher;

/** Publishes events of locks on a thread of its own, for their listeners may block and the threads of the engine must not. */
final class LockEvents {

    private static final Log log = LogFactory.getLog(LockEvents.class);

    private volatile @Nullable ApplicationEventPublisher publisher;

    void publishTo(ApplicationEventPublisher newPublisher) {
        this.publisher = newPublisher;
    }

    void publish(Object event) {
        ApplicationEventPublisher target = publisher;
        if (target != null) {
            CompletableFuture.runAsync(() -> target.publishEvent(event)).whenComplete((done, failure) -> {
                if (failure != null) {
                    log.warn("A listener failed on " + event, failure);
                }
            });
        }
    }
}
