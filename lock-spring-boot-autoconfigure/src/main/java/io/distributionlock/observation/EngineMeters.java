package io.distributionlock.observation;

import io.distributionlock.internal.Internal;
import io.distributionlock.monitor.LockMonitor;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/**
 * Meters of the leases, waiters and counters of engines; see {@link LockMeter}.
 *
 * @hidden
 */
@Internal
public final class EngineMeters implements MeterBinder {

    private final Supplier<Map<String, LockMonitor>> engines;

    /** @param engines by the names of their beans; called when meters are bound */
    public EngineMeters(Supplier<Map<String, LockMonitor>> engines) {
        this.engines = engines;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        engines.get()
                .forEach((name, engine) -> bind(registry, Tags.of(LockMeter.Tag.EXECUTOR.asString(), name), engine));
    }

    private static void bind(MeterRegistry registry, Tags tags, LockMonitor engine) {
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
