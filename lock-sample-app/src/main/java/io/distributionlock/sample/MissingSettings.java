package io.distributionlock.sample;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.env.MissingRequiredPropertiesException;

/** Says what is missing instead of a stack trace. Registered in {@code META-INF/spring.factories}. */
class MissingSettings extends AbstractFailureAnalyzer<MissingRequiredPropertiesException> {

    @Override
    protected FailureAnalysis analyze(Throwable failure, MissingRequiredPropertiesException missing) {
        return new FailureAnalysis(
                "These properties have no value: " + missing.getMissingRequiredProperties(),
                "Name the Redis and the database that all instances share, in application.yml or on the command line."
                        + " To try the application without them, run ./mvnw spring-boot:run.",
                missing);
    }
}
