package io.distributionlock.messages;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.LoggerContextListener;
import ch.qos.logback.core.AppenderBase;
import java.lang.management.ManagementFactory;
import java.security.CodeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.regex.Pattern;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.ILoggerFactory;
import org.slf4j.LoggerFactory;

/**
 * Reads all that the library logs while tests run, with the exceptions of the library that stand there, and fails the test class
 * during which it logged what {@link MessageRules} forbid. Found by the service loader, so that every test of a module that has this one has it.
 */
public final class MessageCheck implements BeforeAllCallback, AfterAllCallback {

    private static final String LIBRARY = "io.distributionlock";

    /** In simulated time, a command timeout passes within a moment of the first test of a JVM. */
    private static final Duration SIMULATED = Duration.ofSeconds(2);

    private static final Pattern TESTS = Pattern.compile("/test-classes/$|-tests\\.jar$|/lock-test-support[-/]");

    private static final Reader READER = new Reader();

    @Override
    public void beforeAll(ExtensionContext test) {
        ILoggerFactory factory = LoggerFactory.getILoggerFactory();
        if (factory instanceof LoggerContext loggers) {
            READER.listenIn(loggers);
        }
    }

    @Override
    public void afterAll(ExtensionContext test) {
        List<String> found = READER.takeFound();
        if (!found.isEmpty()) {
            throw new AssertionError("The library said what no message may be:\n" + String.join("\n", found));
        }
    }

    /** Seen by tests that make such messages. */
    static List<String> takeFound() {
        return READER.takeFound();
    }

    /** Stays where it is when Spring Boot sets logging up anew for each application. */
    private static final class Reader extends AppenderBase<ILoggingEvent> implements LoggerContextListener {

        private final ConcurrentLinkedQueue<String> found = new ConcurrentLinkedQueue<>();
        private final Map<String, Boolean> ofLibrary = new ConcurrentHashMap<>();

        void listenIn(LoggerContext loggers) {
            if (!loggers.getCopyOfListenerList().contains(this)) {
                loggers.addListener(this);
            }
            attachTo(loggers);
        }

        private void attachTo(LoggerContext loggers) {
            Logger logger = loggers.getLogger(LIBRARY);
            if (!logger.isAttached(this)) {
                setContext(loggers);
                start();
                logger.addAppender(this);
            }
        }

        List<String> takeFound() {
            List<String> taken = new ArrayList<>();
            for (String next = found.poll(); next != null; next = found.poll()) {
                taken.add(next);
            }
            return taken;
        }

        @Override
        protected void append(ILoggingEvent event) {
            if (!ofLibrary.computeIfAbsent(event.getLoggerName(), Reader::isOfLibrary)) {
                return;
            }
            Duration uptime = Duration.ofMillis(
                            ManagementFactory.getRuntimeMXBean().getUptime())
                    .plus(SIMULATED);
            String message = event.getFormattedMessage();
            note(event.getLoggerName(), message, MessageRules.faults(message, uptime));
            for (IThrowableProxy thrown = event.getThrowableProxy(); thrown != null; thrown = thrown.getCause()) {
                String said = thrown.getMessage();
                if (thrown.getClassName().startsWith(LIBRARY) && said != null && isOfLibrary(thrown.getClassName())) {
                    note(thrown.getClassName(), said, MessageRules.faults(said));
                }
            }
        }

        private void note(String who, String message, List<String> faults) {
            faults.forEach(fault -> found.add("  " + who + ": \"" + message + "\" " + fault));
        }

        /** Test classes log under the same packages; their folders and jars have other names. */
        private static boolean isOfLibrary(String name) {
            try {
                Class<?> type = Class.forName(name, false, MessageCheck.class.getClassLoader());
                CodeSource place = type.getProtectionDomain().getCodeSource();
                return place != null
                        && !TESTS.matcher(place.getLocation().getPath()).find();
            } catch (ClassNotFoundException | LinkageError e) {
                return false;
            }
        }

        @Override
        public boolean isResetResistant() {
            return true;
        }

        @Override
        public void onReset(LoggerContext loggers) {
            attachTo(loggers);
        }

        @Override
        public void onStart(LoggerContext loggers) {}

        @Override
        public void onStop(LoggerContext loggers) {}

        @Override
        public void onLevelChange(Logger logger, Level level) {}
    }
}
