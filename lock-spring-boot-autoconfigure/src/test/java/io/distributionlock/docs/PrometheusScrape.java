package io.distributionlock.docs;

import io.distributionlock.Lease;
import io.distributionlock.Lease.LossReason;
import io.distributionlock.LockRequest;
import io.distributionlock.LockTemplate;
import io.distributionlock.event.LockBypassedEvent;
import io.distributionlock.event.LockLostEvent;
import io.distributionlock.observation.BypassCounter;
import io.distributionlock.observation.OvertakenCounter;
import io.distributionlock.testing.LockContextRunner;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** What Prometheus gets from an application that has held, waited for, bypassed and lost locks. */
final class PrometheusScrape {

    private static final Pattern SAMPLE = Pattern.compile("(distribution_lock_[a-z_]+)\\{([^}]*)} .*");
    private static final Pattern TAG = Pattern.compile("(\\w+)=\"");

    private PrometheusScrape() {}

    /** By the names of metrics, their tags. With histograms, some names differ. */
    static Map<String, Set<String>> metrics(boolean histograms) {
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        if (histograms) {
            registry.config().meterFilter(new Histograms());
        }
        ObservationRegistry observations = ObservationRegistry.create();
        observations.observationConfig().observationHandler(new DefaultMeterObservationHandler(registry));
        Map<String, Set<String>> metrics = new TreeMap<>();
        application(registry, observations).run(context -> {
            LockTemplate locks = context.getBean(LockTemplate.class);
            locks.executeWithoutResult("released", () -> {});
            context.publishEvent(new LockBypassedEvent("bypassed", anyMethod(), new IllegalStateException("no Redis")));
            context.publishEvent(new LockLostEvent("overtaken", anyMethod(), LossReason.OVERTAKEN));
            LockRequest request =
                    LockRequest.named("held").tryLockTime(Duration.ofMinutes(1)).build();
            try (Lease held = locks.acquire(request)) {
                CompletableFuture<?> waiting = locks.acquireAsync(request);
                // Events reach the counters on a thread of their own.
                Awaitility.await()
                        .atMost(Duration.ofSeconds(30))
                        .until(() -> Stream.of(BypassCounter.NAME, OvertakenCounter.NAME)
                                .allMatch(counter -> registry.find(counter).counter() != null));
                registry.scrape().lines().forEach(line -> addTo(metrics, line));
                waiting.cancel(true);
            }
        });
        return metrics;
    }

    private static ApplicationContextRunner application(MeterRegistry registry, ObservationRegistry observations) {
        return LockContextRunner.local().withInitializer(context -> {
            DefaultListableBeanFactory beans = (DefaultListableBeanFactory) context.getBeanFactory();
            beans.registerSingleton("registry", registry);
            beans.registerSingleton("observations", observations);
        });
    }

    private static Method anyMethod() {
        return Arrays.stream(Runnable.class.getMethods()).findFirst().orElseThrow();
    }

    private static void addTo(Map<String, Set<String>> metrics, String line) {
        Matcher sample = SAMPLE.matcher(line);
        if (sample.matches()) {
            Set<String> tags = TAG.matcher(sample.group(2))
                    .results()
                    .map(tag -> tag.group(1))
                    // Of a histogram alone.
                    .filter(tag -> !tag.equals("le"))
                    .collect(Collectors.toCollection(TreeSet::new));
            metrics.merge(sample.group(1), tags, (some, more) -> {
                some.addAll(more);
                return some;
            });
        }
    }

    /** The metrics whose names match. */
    static List<String> matching(Map<String, Set<String>> metrics, String pattern) {
        return metrics.keySet().stream().filter(name -> name.matches(pattern)).toList();
    }

    /** As {@code management.metrics.distribution.percentiles-histogram.distribution.lock=true} does. */
    private static final class Histograms implements MeterFilter {

        @Override
        public DistributionStatisticConfig configure(Meter.Id id, DistributionStatisticConfig config) {
            return DistributionStatisticConfig.builder()
                    .percentilesHistogram(true)
                    .build()
                    .merge(config);
        }
    }
}
