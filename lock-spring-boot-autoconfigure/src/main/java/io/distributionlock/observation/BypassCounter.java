package io.distributionlock.observation;

import io.distributionlock.event.LockBypassedEvent;
import io.distributionlock.internal.Internal;
import io.distributionlock.internal.MethodText;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.context.event.EventListener;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Counts, by method, the calls that ran without their lock, because the backend failed and they declare {@code PROCEED}. The
 * observations cannot tell: they see an attempt that failed.
 *
 * @hidden
 */
@Internal
public final class BypassCounter {

    /** The name of the counter. */
    public static final String NAME = "distribution.lock.bypassed";

    private final MeterRegistry registry;

    /** Counts in this registry. */
    public BypassCounter(MeterRegistry registry) {
        this.registry = registry;
    }

    // Ahead of the application's listeners: if one throws, Spring calls no later ones.
    @EventListener
    @Order(Ordered.HIGHEST_PRECEDENCE)
    void onBypassed(LockBypassedEvent event) {
        registry.counter(NAME, "method", MethodText.tag(event.method())).increment();
    }
}
