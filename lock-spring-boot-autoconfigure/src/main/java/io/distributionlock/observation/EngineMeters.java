package io.distributionlock.observation;

import io.distributionlock.internal.Internal;
import io.distributionlock.monitor.LockMonitor;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.function.ToDoubleFunction;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;

/**
 * Meters of the leases, waiters and counters of engines; see {@link LockMeter}. Binds those of each engine when it is created, and so
 * creates none.
 *
 * @hidden
 */
@Internal
public final class EngineMeters implements BeanPostProcessor {

    private final ObjectProvider<MeterRegistry> registry;

    /** Binds to the application's registry, if there is one. */
    public EngineMeters(ObjectProvider<MeterRegistry> registry) {
        this.registry = registry;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof LockMonitor engine) {
            registry.ifUnique(meters -> bind(meters, beanName, engine));
        }
        return bean;
    }

    /** @param name tells the engine's meters from those of others */
    static void bind(MeterRegistry registry, String name, LockMonitor engine) {
        Tags tags = Tags.of(LockMeter.Tag.EXECUTOR.asString(), name);
        gauge(
                registry,
                LockMeter.HELD,
                tags,
                engine,
                view -> view.snapshot().held().size());
        gauge(
                registry,
                LockMeter.WAITING,
                tags,
                engine,
                view -> view.snapshot().waiting().size());
        count(registry, LockMeter.BUSY, tags, engine, view -> view.counters().busyAttempts());
        count(
                registry,
                LockMeter.BACKEND_ERRORS,
                tags,
                engine,
                view -> view.counters().backendFailures());
        count(
                registry,
                LockMeter.LEASES_LOST,
                tags,
                engine,
                view -> view.counters().lostLeases());
        count(
                registry,
                LockMeter.RENEWALS,
                tags,
                engine,
                view -> view.counters().renewals());
        String from = LockMeter.Tag.FROM.asString();
        count(
                registry,
                LockMeter.HANDOVERS,
                tags.and(from, "local"),
                engine,
                view -> view.counters().localHandovers());
        count(
                registry,
                LockMeter.HANDOVERS,
                tags.and(from, "remote"),
                engine,
                view -> view.counters().remoteHandovers());
        count(
                registry,
                LockMeter.RELEASES_UNCONFIRMED,
                tags,
                engine,
                view -> view.counters().unconfirmedReleases());
        count(
                registry,
                LockMeter.RELEASES_DROPPED,
                tags,
                engine,
                view -> view.counters().droppedReleases());
    }

    private static void gauge(
            MeterRegistry registry,
            LockMeter meter,
            Tags tags,
            LockMonitor engine,
            ToDoubleFunction<LockMonitor> value) {
        Gauge.builder(meter.getName(), engine, value).tags(tags).register(registry);
    }

    private static void count(
            MeterRegistry registry,
            LockMeter meter,
            Tags tags,
            LockMonitor engine,
            ToDoubleFunction<LockMonitor> value) {
        FunctionCounter.builder(meter.getName(), engine, value).tags(tags).register(registry);
    }
}
