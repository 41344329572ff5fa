package io.distributionlock.testing;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.LoggerFactory;

/** Engine and quorum log nothing in a class whose events are made up: losses by the thousand, and hours that have not passed. */
public final class SilentLog implements BeforeAllCallback, AfterAllCallback {

    private static final List<Logger> LOGS = Stream.of("io.distributionlock.engine", "io.distributionlock.quorum")
            .map(name -> (Logger) LoggerFactory.getLogger(name))
            .toList();

    @Override
    public void beforeAll(ExtensionContext tests) {
        LOGS.forEach(log -> log.setLevel(Level.OFF));
    }

    @Override
    public void afterAll(ExtensionContext tests) {
        LOGS.forEach(log -> log.setLevel(null));
    }
}
