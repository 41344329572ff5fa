package io.distributionlock.benchmarks.micro;

import io.distributionlock.DelegatingLockExecutor;
import io.distributionlock.backend.EngineSettings;
import io.distributionlock.engine.EngineLockExecutor;
import io.distributionlock.engine.LockEngine;
import io.distributionlock.model.ModelBackend;
import io.distributionlock.model.ModelPort;
import java.util.concurrent.TimeUnit;

/** The engine as it is in production, over a backend in memory whose commands are counted. */
final class CountedExecutor extends DelegatingLockExecutor {

    private final CountingPort port;

    private CountedExecutor(CountingPort port, EngineSettings settings) {
        super(new EngineLockExecutor(settings, present -> LockEngine.start(port, present)));
        this.port = port;
    }

    static CountedExecutor create() {
        EngineSettings settings = EngineSettings.standard("benchmark");
        long startMicros = TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis());
        // Messages at once, so that no check of a lease follows later because messages begin to be received.
        ModelBackend backend = new ModelBackend(System::nanoTime, startMicros, Runnable::run);
        return new CountedExecutor(new CountingPort(ModelPort.connect(backend, settings.instance())), settings);
    }

    long commands() {
        return port.commands();
    }
}
