package io.distributionlock.playground.setup;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** The application cannot start with these settings. */
class MissingSettingsException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient List<Setting> missing;

    MissingSettingsException(List<Setting> missing) {
        super(lines(missing, Setting::problem));
        this.missing = missing;
    }

    record Setting(String problem, String remedy) {}

    private static String lines(List<Setting> missing, Function<Setting, String> text) {
        return missing.stream().map(text).collect(Collectors.joining(System.lineSeparator()));
    }

    /** Shows problem and remedy instead of a stack trace. Registered in {@code META-INF/spring.factories}. */
    static class Analyzer extends AbstractFailureAnalyzer<MissingSettingsException> {

        @Override
        protected FailureAnalysis analyze(Throwable failure, MissingSettingsException cause) {
            String remedies = lines(cause.missing, Setting::remedy);
            String trial = "To try the application with a Redis and a database of its own, run ./mvnw spring-boot:run,"
                    + " which uses the profile dev.";
            return new FailureAnalysis(cause.getMessage(), remedies + System.lineSeparator() + trial, cause);
        }
    }
}
