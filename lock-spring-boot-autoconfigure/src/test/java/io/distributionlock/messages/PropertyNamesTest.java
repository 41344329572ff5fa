package io.distributionlock.messages;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.autoconfigure.LockProperties;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The properties that messages may name, also those of modules that do not know {@link LockProperties}. */
class PropertyNamesTest {

    @Test
    void theyAreThoseThatThereAre() {
        assertThat(MessageRules.propertyNames())
                .containsExactlyInAnyOrderElementsOf(
                        namesIn(LockProperties.class, "").toList());
    }

    private static Stream<String> namesIn(Class<?> properties, String prefix) {
        return Arrays.stream(properties.getRecordComponents()).flatMap(property -> namesOf(property, prefix));
    }

    private static Stream<String> namesOf(RecordComponent property, String prefix) {
        String name = prefix + property.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
        Type type = property.getGenericType();
        if (type instanceof ParameterizedType generic) {
            return generic.getRawType() == Map.class
                    ? namesIn((Class<?>) generic.getActualTypeArguments()[1], name + ".*.")
                    : Stream.of(name + "[]");
        }
        return property.getType().isRecord() ? namesIn(property.getType(), name + ".") : Stream.of(name);
    }
}
