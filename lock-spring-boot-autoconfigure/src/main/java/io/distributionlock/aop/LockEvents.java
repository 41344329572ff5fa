package io.distributionlock.aop;

import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationEventPublisher;

/** Publishes events of locks on a thread of its own, for their listeners may block and the threads of the engine must not. */
final class LockEvents {

    private volatile @Nullable EventQueue queue;

    void publishTo(ApplicationEventPublisher publisher) {
        this.queue = new EventQueue(publisher);
    }

    void publish(Object event) {
        EventQueue target = queue;
        if (target != null) {
            target.add(event);
        }
    }
}
