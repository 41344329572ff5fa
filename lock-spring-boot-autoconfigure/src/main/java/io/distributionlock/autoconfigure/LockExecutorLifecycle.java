package io.distributionlock.autoconfigure;

import io.distributionlock.LockExecutor;
import io.distributionlock.internal.DaemonThreads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Stops and starts the executors that exist with the application. They stop after the web server has finished its requests, which keep
 * their locks until then, and before the connections to Redis are closed, so that the remaining locks can be released.
 */
class LockExecutorLifecycle implements SmartLifecycle, BeanFactoryAware {

    /** Above the connection factory (0), below the web server's graceful stop (close to the maximum). */
    static final int PHASE = Integer.MAX_VALUE / 2;

    private static final Log log = LogFactory.getLog(LockExecutorLifecycle.class);

    private @Nullable ConfigurableListableBeanFactory beanFactory;
    private volatile boolean running;
    private boolean stopped;

    @Override
    public void setBeanFactory(BeanFactory owner) {
        beanFactory = (ConfigurableListableBeanFactory) owner;
    }

    /**
     * Starts what was stopped, which may be for a checkpoint. The first start is that of the application, which connects only if it has
     * locked methods.
     */
    @Override
    public void start() {
        running = true;
        if (stopped || beans().getBeanProvider(LockStart.class).stream().anyMatch(LockStart::locks)) {
            stopped = false;
            existing().values().forEach(LockExecutor::start);
        }
    }

    /**
     * All together, so that several take no longer than one. Returns when they have stopped, even if the phase may not last as long: Spring
     * would close the connections by which they release their locks.
     */
    @Override
    public void stop() {
        running = false;
        stopped = true;
        Map<String, LockExecutor> executors = existing();
        if (!executors.isEmpty()) {
            Duration timeout = beans().getBean(LockProperties.class).shutdown().timeout();
            Executor threads = executors.size() == 1 ? Runnable::run : DaemonThreads.each("distribution-lock-stop");
            List<CompletableFuture<Void>> stops = new ArrayList<>();
            executors.forEach((name, executor) ->
                    stops.add(CompletableFuture.runAsync(() -> stop(name, executor, timeout), threads)));
            stops.forEach(CompletableFuture::join);
        }
    }

    /** One that fails keeps no other from releasing its locks. */
    private static void stop(String name, LockExecutor executor, Duration timeout) {
        try {
            executor.stop(timeout);
        } catch (RuntimeException e) {
            log.warn("The executor '" + name + "' could not be stopped", e);
        }
    }

    /** Does not create any. */
    private Map<String, LockExecutor> existing() {
        Map<String, LockExecutor> executors = new LinkedHashMap<>();
        for (String name : beans().getBeanNamesForType(LockExecutor.class, false, false)) {
            if (beans().containsSingleton(name)) {
                executors.put(name, beans().getBean(name, LockExecutor.class));
            }
        }
        return executors;
    }

    private ConfigurableListableBeanFactory beans() {
        return Objects.requireNonNull(beanFactory);
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    /**
     * Since 7.0, Spring pauses cached test contexts that are not in use. An idle executor does no harm, and stopping it would wait for
     * locks that a test has left held. (Overrides nothing on Spring 6.)
     */
    @SuppressWarnings("MissingOverride")
    public boolean isPauseable() {
        return false;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }
}
