package io.distributionlock.observation;

import io.distributionlock.event.LockBypassedEvent;
import io.distributionlock.event.LockLostEvent;
import io.distributionlock.internal.Internal;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.event.EventListener;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Counts what an operator has to know of. Each counter is tagged with the method, never with the name of the lock, of which
 * there may be millions.
 *
 * @hidden
 */
@Internal
public final class LockMeters {

    /** Leases that ended before the method, or the work given to {@code LockTemplate}, that they guarded. */
    public static final String LOST = "distribution.lock.lost";

    /** Annotated methods that ran without their lock, because the backend failed and they declare {@code PROCEED}. */
    public static final String BYPASSED = "distribution.lock.bypassed";

    private final ObjectProvider<MeterRegistry> registry;

    /** Counts in the application's registry, if there is one. */
    public LockMeters(ObjectProvider<MeterRegistry> registry) {
        this.registry = registry;
    }

    // Ahead of the application's listeners: if one throws, Spring calls no later ones.
    @EventListener
    @Order(Ordered.HIGHEST_PRECEDENCE)
    void onLost(LockLostEvent event) {
        count(
                LOST,
                event.method(),
                Tags.of(LockMeter.Tag.REASON.asString(), event.reason().name()));
    }

    @EventListener
    @Order(Ordered.HIGHEST_PRECEDENCE)
    void onBypassed(LockBypassedEvent event) {
        count(BYPASSED, event.method(), Tags.empty());
    }

    private void count(String counter, @Nullable Method method, Tags more) {
        String tag =
                method == null ? "LockTemplate" : method.getDeclaringClass().getSimpleName() + "." + method.getName();
        registry.ifUnique(meters -> meters.counter(counter, more.and(LockMeter.Tag.METHOD.asString(), tag))
                .increment());
    }
}
