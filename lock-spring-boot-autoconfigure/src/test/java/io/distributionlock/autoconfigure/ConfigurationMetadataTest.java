package io.distributionlock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import com.jayway.jsonpath.DocumentContext;
import com.jayway.jsonpath.JsonPath;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.util.ClassUtils;

/** What an editor offers for the properties of the library. */
@Tag("boot4")
class ConfigurationMetadataTest {

    private static final String PREFIX = "distribution-lock.";

    /** Whose absence means something that no value does. */
    private static final Set<String> WITHOUT_DEFAULT = Set.of(
            PREFIX + "defaults.max-hold-time",
            PREFIX + "leader.elections",
            PREFIX + "quorum.nodes",
            PREFIX + "quorum.ssl-bundle",
            PREFIX + "redis.connection-factory",
            PREFIX + "redis.template");

    private final DocumentContext metadata = metadata();

    private static DocumentContext metadata() {
        try {
            ClassLoader classes = LockProperties.class.getClassLoader();
            for (URL file : Collections.list(classes.getResources("META-INF/spring-configuration-metadata.json"))) {
                try (InputStream content = file.openStream()) {
                    DocumentContext read = JsonPath.parse(content);
                    List<String> names = read.read("$.properties[*].name");
                    if (names.contains(PREFIX + "executor")) {
                        return read;
                    }
                }
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        throw new AssertionError("There is no metadata of the library");
    }

    @Test
    void everyPropertyHasATypeADescriptionAndADefault() {
        List<Map<String, Object>> properties =
                metadata.read("$.properties[?(@.name =~ /distribution-lock.*/ && !@.deprecation)]");
        assertThat(properties).hasSizeGreaterThan(20).allSatisfy(property -> {
            String name = String.valueOf(property.get("name"));
            assertThat(property).as(name).containsKeys("type", "description");
            assertThat(String.valueOf(property.get("description"))).as(name).endsWith(".");
            boolean map = String.valueOf(property.get("type")).startsWith("java.util.Map");
            assertThat(property.containsKey("defaultValue"))
                    .as("a default of " + name)
                    .isEqualTo(!map && !WITHOUT_DEFAULT.contains(name));
        });
    }

    @Test
    void everyHintIsForAProperty() {
        Set<String> names = new TreeSet<>(metadata.<List<String>>read("$.properties[*].name"));
        for (String map : metadata.<List<String>>read("$.properties[?(@.type =~ /java.util.Map.*/)].name")) {
            names.add(map + ".keys");
        }
        assertThat(metadata.<List<String>>read("$.hints[*].name"))
                .contains(PREFIX + "locks.keys")
                .doesNotHaveDuplicates()
                .isSubsetOf(names);
    }

    @Test
    void aHintForABeanNamesItsType() {
        assertThat(metadata.<List<String>>read("$.hints[*].providers[*].parameters.target"))
                .isNotEmpty()
                .allMatch(type -> ClassUtils.isPresent(type, null));
    }
}
