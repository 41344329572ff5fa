package io.distributionlock.benchmarks.micro;

import io.distributionlock.engine.EngineLockExecutor;
import io.distributionlock.engine.EngineSettings;
import io.distributionlock.engine.LockEngine;
import io.distributionlock.local.LocalBackend;

/** The engine as it is in production, over a backend in memory whose commands are counted. */
final class CountedExecutor extends EngineLockExecutor {

    private final CountingPort port;

    private CountedExecutor(CountingPort port, EngineSettings settings) {
        super(LockEngine.start(port, settings));
        this.port = port;
    }

    static CountedExecutor start() {
        EngineSettings settings = EngineSettings.standard("benchmark");
        return new CountedExecutor(new CountingPort(new LocalBackend().connect(settings.instance())), settings);
    }

    long commands() {
        return port.commands();
    }
}
