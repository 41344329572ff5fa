package io.distributionlock.observation;

import io.distributionlock.CommitGuard;
import io.distributionlock.Lease.LossReason;
import io.distributionlock.event.LockLostEvent;
import io.distributionlock.internal.Internal;
import io.distributionlock.internal.MethodText;
import io.micrometer.core.instrument.MeterRegistry;
import java.lang.reflect.Method;
import org.springframework.context.event.EventListener;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Counts, by method, what a database refused to commit ({@link CommitGuard#DATABASE}). The observations cannot tell: the lease may be
 * released as if nothing had happened.
 *
 * @hidden
 */
@Internal
public final class OvertakenCounter {

    /** The name of the counter. */
    public static final String NAME = "distribution.lock.overtaken";

    private final MeterRegistry registry;

    /** Counts in this registry. */
    public OvertakenCounter(MeterRegistry registry) {
        this.registry = registry;
    }

    // Ahead of the application's listeners: if one throws, Spring calls no later ones.
    @EventListener
    @Order(Ordered.HIGHEST_PRECEDENCE)
    void onLost(LockLostEvent event) {
        if (event.reason() == LossReason.OVERTAKEN) {
            Method method = event.method();
            registry.counter(NAME, "method", method == null ? "none" : MethodText.tag(method))
                    .increment();
        }
    }
}
