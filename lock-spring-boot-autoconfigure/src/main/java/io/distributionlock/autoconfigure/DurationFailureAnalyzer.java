package io.distributionlock.autoconfigure;

import io.distributionlock.internal.MessageText;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** Says how a time is written. Spring Boot's own analysis says only that the value could not be converted. */
@Order(Ordered.HIGHEST_PRECEDENCE)
class DurationFailureAnalyzer extends AbstractFailureAnalyzer<BindException> {

    private static final ConfigurationPropertyName PREFIX = ConfigurationPropertyName.of(LockProperties.PREFIX);

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, BindException cause) {
        if (!PREFIX.isAncestorOf(cause.getName())
                || cause.getProperty() == null
                || cause.getTarget().getType().resolve() != Duration.class) {
            return null;
        }
        return new FailureAnalysis(
                cause.getName() + " is '" + MessageText.of(cause.getProperty().getValue())
                        + "', which is not a duration.",
                "Set it to a number with a unit (ns, us, ms, s, m, h, d), such as 5s, or to an ISO-8601 duration, such as"
                        + " PT5S.",
                cause);
    }
}
