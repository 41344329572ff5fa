package io.distributionlock.autoconfigure.diagnosis;

import io.distributionlock.autoconfigure.property.LockProperties;
import io.distributionlock.autoconfigure.property.UnknownPropertiesException;
import io.distributionlock.autoconfigure.property.UnknownProperty;
import java.util.List;
import java.util.function.Function;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Explains a failed start when properties are set that do not exist. */
class UnknownPropertiesFailureAnalyzer extends AbstractFailureAnalyzer<UnknownPropertiesException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, UnknownPropertiesException cause) {
        String end = System.lineSeparator();
        return new FailureAnalysis(
                "Lock properties are set that do not exist:" + list(cause, UnknownProperty::description),
                "Correct each of them:" + list(cause, UnknownProperty::cure) + end + end
                        + "To start anyway, with a warning, set " + LockProperties.PREFIX
                        + ".validation=warn.",
                cause);
    }

    private static String list(UnknownPropertiesException cause, Function<UnknownProperty, String> text) {
        List<UnknownProperty> properties = cause.properties();
        StringBuilder list = new StringBuilder(System.lineSeparator());
        for (int i = 0; i < properties.size(); i++) {
            list.append(System.lineSeparator())
                    .append("    ")
                    .append(i + 1)
                    .append(". ")
                    .append(text.apply(properties.get(i)));
        }
        return list.toString();
    }
}
