package io.distributionlock.engine;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.LoggerFactory;

/** The engine logs nothing in a class whose events are made up: losses by the thousand, and hours that have not passed. */
final class SilentEngineLog implements BeforeAllCallback, AfterAllCallback {

    private static final Logger LOG = (Logger) LoggerFactory.getLogger(LockEngine.class.getPackageName());

    @Override
    public void beforeAll(ExtensionContext tests) {
        LOG.setLevel(Level.OFF);
    }

    @Override
    public void afterAll(ExtensionContext tests) {
        LOG.setLevel(null);
    }
}
