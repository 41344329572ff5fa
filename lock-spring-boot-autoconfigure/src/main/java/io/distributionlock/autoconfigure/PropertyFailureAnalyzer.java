package io.distributionlock.autoconfigure;

import io.distributionlock.internal.MessageText;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Says how a time is written, and which property a misspelled one may be. Spring Boot's own analyses say only that a value could not
 * be converted, or a name not bound.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
class PropertyFailureAnalyzer extends AbstractFailureAnalyzer<BindException> {

    private static final ConfigurationPropertyName PREFIX = ConfigurationPropertyName.of(LockProperties.PREFIX);

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, BindException cause) {
        if (PREFIX.equals(cause.getName())
                && cause.getCause() instanceof UnboundConfigurationPropertiesException unbound) {
            return analyzeNames(unbound, cause);
        }
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

    private static FailureAnalysis analyzeNames(UnboundConfigurationPropertiesException unbound, BindException cause) {
        return new FailureAnalysis(
                unbound.getUnboundProperties().stream()
                        .map(property -> "The property " + property.getName() + " does not exist" + place(property))
                        .collect(Collectors.joining("\n")),
                unbound.getUnboundProperties().stream()
                        .map(property -> "Correct or remove " + property.getName() + ". The closest names are "
                                + closest(property.getName().toString()) + ".")
                        .collect(Collectors.joining("\n")),
                cause);
    }

    private static String place(ConfigurationProperty property) {
        return property.getOrigin() == null ? "." : ": see " + property.getOrigin() + ".";
    }

    private static String closest(String name) {
        return names(LockProperties.PREFIX, LockProperties.class)
                .sorted(Comparator.<String, Boolean>comparing(
                                each -> !lastElement(each).equals(lastElement(name)))
                        .thenComparing(each -> distance(plain(name), plain(each))))
                .limit(3)
                .collect(Collectors.joining(", "));
    }

    /** The properties of the record and of those within it. */
    private static Stream<String> names(String prefix, Class<?> properties) {
        return Arrays.stream(properties.getRecordComponents()).flatMap(each -> {
            String name = prefix + "." + DataObjectPropertyName.toDashedForm(each.getName());
            if (each.getType() == Map.class) {
                return names(name + ".<key>", valuesOf(each));
            }
            return each.getType().isRecord() ? names(name, each.getType()) : Stream.of(name);
        });
    }

    private static Class<?> valuesOf(RecordComponent map) {
        Type[] keyAndValue = ((ParameterizedType) map.getGenericType()).getActualTypeArguments();
        return (Class<?>) keyAndValue[1];
    }

    /** Right in the wrong place is likelier than two mistakes in one word. */
    private static String lastElement(String name) {
        return plain(name.substring(name.lastIndexOf('.') + 1));
    }

    /** Without what may be written in several ways. */
    private static String plain(String name) {
        return name.replace("-", "").toLowerCase(Locale.ROOT);
    }

    /** How many letters are to be inserted, removed or replaced, to make one of the other. */
    private static int distance(String one, String other) {
        int[] previous = new int[other.length() + 1];
        Arrays.setAll(previous, column -> column);
        for (int row = 1; row <= one.length(); row++) {
            int[] current = new int[other.length() + 1];
            current[0] = row;
            for (int column = 1; column <= other.length(); column++) {
                int replaced = previous[column - 1] + (one.charAt(row - 1) == other.charAt(column - 1) ? 0 : 1);
                current[column] = Math.min(replaced, 1 + Math.min(previous[column], current[column - 1]));
            }
            previous = current;
        }
        return previous[other.length()];
    }
}
