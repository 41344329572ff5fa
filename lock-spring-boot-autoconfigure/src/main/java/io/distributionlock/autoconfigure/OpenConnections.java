package io.distributionlock.autoconfigure;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.SmartLifecycle;

/**
 * The connections that {@link LockExecutors} has opened. They stop and start with the application, after and before the executors
 * that use them, so that a stopped application has no connection.
 */
final class OpenConnections implements SmartLifecycle, DisposableBean {

    private final List<LockConnections> all = new CopyOnWriteArrayList<>();

    LockConnections add(LockConnections opened) {
        all.add(opened);
        return opened;
    }

    @Override
    public void start() {
        all.forEach(LockConnections::start);
    }

    @Override
    public void stop() {
        all.forEach(LockConnections::stop);
    }

    @Override
    public boolean isRunning() {
        return all.stream().anyMatch(LockConnections::isRunning);
    }

    /** As the executors, which {@link LockExecutorLifecycle} does not pause. (Overrides nothing on Spring 6.) */
    @SuppressWarnings("MissingOverride")
    public boolean isPauseable() {
        return false;
    }

    /** The phase of Spring Boot's own connections. */
    @Override
    public int getPhase() {
        return 0;
    }

    @Override
    public void destroy() {
        all.forEach(LockConnections::destroy);
    }
}
